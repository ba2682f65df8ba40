import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { postFiles, postJson } from "../knowledge-process.ts";
import { service } from "./service.ts";

const { baseUrl } = service;
let namespace: string;
let count = 0;
beforeEach(() => {
  namespace = `namespace ${count++}`;
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const upload = (fields: Record<string, string>, files: [name: string, content: string][]) =>
  postFiles(`${baseUrl}/api/tools/ingest`, fields, files);

describe("a source that is sent again with other content", () => {
  const documents = async () => {
    const listed = await fetch(`${baseUrl}/api/namespaces/${encodeURIComponent(namespace)}/documents`);
    return ((await listed.json()) as { documents: { document_id: string; source: string; hash: string }[] }).documents;
  };

  it("is kept beside the old one, or replaces it when asked to", async () => {
    const [notes, other] = ["notes.txt", "other.txt"];
    await upload({ namespace }, [
      [notes, "First."],
      [other, "Untouched."],
    ]);
    await upload({ namespace, on_conflict: "keep" }, [[notes, "Second."]]);
    expect(await documents()).toHaveLength(3);
    const third = await upload({ namespace, on_conflict: "replace" }, [[notes, "Third."]]);
    expect(third.body.saved).toMatchObject([{ source: "file:notes.txt", hash: sha256("Third."), replaced: 2 }]);
    expect((await documents()).map(({ hash }) => hash).sort()).toEqual([sha256("Untouched."), sha256("Third.")].sort());
  });

  it("replaces it when its content is there already, as after a crash in between", async () => {
    await upload({ namespace }, [["page.txt", "Old."]]);
    await upload({ namespace }, [["page.txt", "New."]]);
    const again = await upload({ namespace, on_conflict: "replace" }, [["page.txt", "New."]]);
    expect(again.body).toMatchObject({ saved: [], skipped: [{ source: "file:page.txt" }] });
    expect(await documents()).toMatchObject([{ hash: sha256("New.") }]);
  });

  it("keeps content that another source also sent, even if it was skipped there", async () => {
    const replace = { namespace, on_conflict: "replace" };
    await upload({ namespace }, [["b.txt", "Both say this."]]);
    const skipped = await upload({ namespace }, [["a.txt", "Both say this."]]);
    expect(skipped.body).toMatchObject({ saved: [], skipped: [{ source: "file:a.txt" }] });
    const other = await upload(replace, [["b.txt", "Now it says that."]]);
    expect(other.body.saved).toMatchObject([{ source: "file:b.txt", replaced: 0 }]);
    const kept = { source: "file:a.txt", hash: sha256("Both say this.") };
    const now = { source: "file:b.txt", hash: sha256("Now it says that.") };
    expect(await documents()).toMatchObject([kept, now]);
    const found = await postJson(`${baseUrl}/api/tools/searchDocs`, { namespace, query: "Both say this" });
    expect(found.body.results[0]).toMatchObject({
      title: "a.txt",
      metadata: { source: "file:a.txt", filename: "a.txt" },
    });
    const last = await upload(replace, [["a.txt", "It says nothing of the kind."]]);
    expect(last.body.saved).toMatchObject([{ source: "file:a.txt", replaced: 1 }]);
    expect((await documents()).map(({ hash }) => hash)).not.toContain(kept.hash);
  });

  it("replaces only earlier content, never another item of the same request", async () => {
    const replace = { namespace, on_conflict: "replace" };
    await upload({ namespace }, [["README.md", "Of an earlier request."]]);
    const both: [string, string][] = [
      ["README.md", "Of the first folder."],
      ["README.md", "Of the second folder."],
    ];
    for (const saved of [[{ title: "README.md" }, { replaced: 1 }], []]) {
      expect((await upload(replace, both)).body).toMatchObject({ saved, errors: [] });
      const hashes = (await documents()).map(({ hash }) => hash).sort();
      expect(hashes).toEqual(both.map(([, content]) => sha256(content)).sort());
    }
    const one = await upload(replace, [["README.md", "Only one is left."]]);
    expect(one.body.saved).toMatchObject([{ replaced: 2 }]);
  });

  it("keeps files of one name in different folders apart", async () => {
    const replace = { namespace, on_conflict: "replace" };
    const files = (version: string): [string, string][] => [
      ["a/README.md", `A ${version}.`],
      ["b\\README.md", `B ${version}.`],
    ];
    await upload(replace, files("one"));
    const { body } = await upload(replace, files("two"));
    expect(body.saved).toMatchObject([
      { source: "file:a/README.md", replaced: 1 },
      { source: "file:b/README.md", replaced: 1 },
    ]);
    expect(await documents()).toHaveLength(2);
  });

  it("is found by the name of its file in NFC and NFD, however it was sent", async () => {
    const name = "Übersicht.txt";
    const [nfc, nfd] = [name.normalize("NFC"), name.normalize("NFD")];
    const sent = await upload({ namespace }, [[nfd, "From a Mac."]]);
    expect(sent.body.saved).toMatchObject([{ source: `file:${nfc}`, title: nfc }]);
    const path = `${baseUrl}/api/namespaces/${encodeURIComponent(namespace)}/documents`;
    for (const source of [`file:${nfc}`, `file:${nfd}`]) {
      const listed = await fetch(`${path}?source=${encodeURIComponent(source)}`);
      expect(await listed.json()).toMatchObject({ documents: [{ source: `file:${nfc}` }] });
      const search = { namespace, query: "Mac", filter: { source } };
      const found = await postJson(`${baseUrl}/api/tools/searchDocs`, search);
      expect(found.body.results).toMatchObject([{ metadata: { source: `file:${nfc}`, filename: nfc } }]);
    }
    const removed = await fetch(`${path}?source=${encodeURIComponent(`file:${nfd}`)}`, { method: "DELETE" });
    expect(await removed.json()).toMatchObject({ deleted: 1, kept: 0 });
  });

  it("replaces a text or Markdown with the same id", async () => {
    const send = (value: string) =>
      postJson(`${baseUrl}/api/tools/ingest`, {
        namespace,
        on_conflict: "replace",
        sources: [
          { type: "text", value, id: "ticket 7" },
          { type: "markdown", value: `# ${value}`, id: "ticket 7" },
        ],
      });
    await send("First");
    const { body } = await send("Second");
    expect(body.saved).toMatchObject([
      { source: "text:ticket 7", hash: sha256("Second"), replaced: 1 },
      { source: "markdown:ticket 7", replaced: 1 },
    ]);
    expect(await documents()).toHaveLength(2);
  });

  it("keeps the title and fields that it was given when it is replaced without any", async () => {
    const send = async (value: string, more: object = {}) => {
      const sources = [{ type: "markdown", id: "a", value: `# ${value}`, ...more }];
      const { body } = await postJson(`${baseUrl}/api/tools/ingest`, { namespace, on_conflict: "replace", sources });
      const { document_id: id, title } = body.saved[0];
      const path = `${baseUrl}/api/namespaces/${encodeURIComponent(namespace)}/documents/${id}`;
      const stored = (await (await fetch(path)).json()) as { title: string; metadata: object };
      expect(stored.title).toBe(title);
      const { content_type: _, ...fields } = stored.metadata as Record<string, unknown>;
      return { path, title, fields };
    };
    const { path } = await send("First");
    expect(await send("Second")).toMatchObject({ title: "Second", fields: {} });
    const second = await send("Third", { metadata: { team: "legal" } });
    expect(second).toMatchObject({ title: "Third", fields: { team: "legal" } });
    const headers = { "Content-Type": "application/json" };
    await fetch(second.path, { method: "PATCH", headers, body: '{"title":"Ours"}' });
    expect(await send("Fourth")).toMatchObject({ title: "Ours", fields: { team: "legal" } });
    expect(await send("Fifth", { metadata: {} })).toMatchObject({ title: "Ours", fields: {} });
    expect(await send("Sixth", { title: "Theirs" })).toMatchObject({ title: "Theirs", fields: {} });
    expect((await fetch(path)).status).toBe(404);
    expect(await documents()).toHaveLength(1);
  });

  it("says how many documents are gone when its new content is there already, from another source", async () => {
    const send = (sources: unknown[], query = "") =>
      postJson(`${baseUrl}/api/tools/ingest${query}`, { namespace, on_conflict: "replace", sources });
    const text = (id: string, value: string) => ({ type: "text", id, value });
    await send([text("a", "Alpha Text"), text("b", "Beta Text"), text("c", "Gamma Text")]);
    const skipped = { reason: "duplicate-content", hash: sha256("Beta Text"), title: "Beta Text" };
    const { body } = await send([text("a", "Beta Text")]);
    expect(body).toEqual({
      namespace,
      saved: [],
      skipped: [{ ...skipped, source: "text:a", replaced: 1 }],
      errors: [],
    });
    expect((await documents()).map(({ source }) => source).sort()).toEqual(["text:b", "text:c"]);
    const again = await send([text("a", "Beta Text")]);
    expect(again.body.skipped).toEqual([{ ...skipped, source: "text:a" }]);
    const accepted = await send([text("c", "Beta Text")], "?async=true");
    const events = await fetch(`${baseUrl}/api/jobs/${accepted.body.job_id}/events`);
    expect(await events.text()).toMatch(/"stage":"skipped".*"replaced":1/);
  });

  it("refuses the second item with an id, and ids that can't be told from a position", async () => {
    const text = (value: string, id: unknown) => ({ type: "text", value, id });
    const sources = [text("One", "a"), text("Two", "a"), text("Three", "7"), text("Four", ""), text("Five", 7)];
    sources.push(text("Six", "a".repeat(201)), { type: "url", value: baseUrl, id: "b" }, text("Seven", null));
    const { status, body } = await postJson(`${baseUrl}/api/tools/ingest`, {
      namespace,
      on_conflict: "replace",
      sources,
    });
    expect(status).toBe(207);
    expect(body.saved).toMatchObject([{ source: "text:a" }, { source: "text:7", hash: sha256("Seven") }]);
    expect(body.errors.map(({ code, error }: { code: string; error: string }) => `${code} ${error}`)).toEqual([
      expect.stringMatching(/^duplicate_id .*the id "a"/),
      expect.stringMatching(/^invalid_item .*id can't be a number alone/),
      expect.stringMatching(/^invalid_item .*id is blank/),
      expect.stringMatching(/^invalid_item .*id must be text/),
      expect.stringMatching(/^invalid_item .*id is longer than 200 characters/),
      expect.stringMatching(/^invalid_item .*a url takes no id/i),
    ]);
    expect(await documents()).toHaveLength(2);
  });

  it("stays if it is a text without an id, because its position doesn't identify it", async () => {
    for (const value of ["One.", "Another."]) {
      const sources = [value, { type: "markdown", value: `# ${value}` }];
      const { body } = await postJson(`${baseUrl}/api/tools/ingest`, { namespace, sources, on_conflict: "replace" });
      expect(body.saved).toHaveLength(2);
    }
    expect(await documents()).toHaveLength(4);
  });

  it("leaves one of them when many replace it at the same moment", async () => {
    const texts = Array.from({ length: 8 }, (_, index) => `Version ${index}.`);
    const answers = await Promise.all(
      texts.map((text) => upload({ namespace, on_conflict: "replace" }, [["page.txt", text]])),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await documents()).toHaveLength(1);
  });
});
