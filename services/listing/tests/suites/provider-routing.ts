import { answer } from "@agent-backends/testing";
import { describe, expect, it } from "vitest";
import { toolActions } from "../../actions/index.ts";
import { ask, readAnswer } from "../answers.ts";
import { startUnderTest } from "../under-test.ts";
import { provider, service } from "./service.ts";

/** Routing is unsure about this message. */
const unsure = "make it ten";

const chosen = (name: string, args: object) => answer.toolCalls([{ name, args }]);
const offersTools = (body: unknown) => typeof body === "object" && body !== null && "tools" in body;
const advised = answer.text("Prepare a tagline.");

describe("with LISTING_ROUTING=provider", async () => {
  const { provider, service } = await startUnderTest({ LISTING_ROUTING: "provider" });
  const read = async (content: string) => readAnswer(await service.post("/agent", ask(content)));
  const listTypes = ({ frames }: { frames: { type: string }[] }) => [...new Set(frames.map(({ type }) => type))];

  it("the provider picks the action for a message that routing is unsure about", async () => {
    provider.script((_request, index) => (index === 0 ? chosen("search", { query: "kanban", limit: 3 }) : advised));
    const answered = await read(unsure);
    expect(answered.frames[0]).toMatchObject({
      type: "tool_call_start",
      tool_name: "search",
      args: { query: "kanban", limit: 3 },
    });
    expect(answered.text).toContain("Prepare a tagline.");
    const [choice, wording] = provider.chatRequests;
    expect(choice?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual(
      toolActions.map(({ name }) => name),
    );
    expect(choice?.body.messages.at(-1)).toEqual({ role: "user", content: unsure });
    expect(wording?.body.tools).toBeUndefined();
  });

  it("a message that routing is sure about costs one request only", async () => {
    provider.script(advised);
    expect((await read("top 3 of today")).frames[0]).toMatchObject({ tool_name: "top_timeframe" });
    expect(provider.chatRequests).toHaveLength(1);
  });

  it.each([
    ["picks none", answer.text("none")],
    ["fails", answer.error(500, "broken")],
    ["calls a tool that doesn't exist", chosen("shell", { command: "ls" })],
    ["calls with arguments that don't fit", chosen("search", { query: 7 })],
    ["names a day that doesn't exist", chosen("top_timeframe", { timeframe: "2026-02-31" })],
  ])("the answer is advice when the provider %s", async (_case, choice) => {
    provider.script(({ body }) => (offersTools(body) ? choice : advised));
    const answered = await read(unsure);
    expect(listTypes(answered)).toEqual(["text_message_chunk"]);
    expect(answered.text).toBe("Prepare a tagline.");
  });

  it("the answer is advice when the provider takes too long", async () => {
    provider.script(({ body }) => (offersTools(body) ? answer.hang() : advised));
    expect((await read(unsure)).text).toBe("Prepare a tagline.");
  }, 20_000);
});

describe("by default", () => {
  it("a message that routing is unsure about gets advice, and no request asks the provider to pick", async () => {
    provider.script(advised);
    expect((await readAnswer(await service.post("/agent", ask(unsure)))).text).toBe("Prepare a tagline.");
    expect(provider.chatRequests).toHaveLength(1);
    expect(provider.chatRequests[0]?.body.tools).toBeUndefined();
  });
});
