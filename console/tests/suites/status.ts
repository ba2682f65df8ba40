import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { answer, freePorts, serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import { axeFaults, getOverflowPx } from "../axe.ts";
import { openClipboard } from "../gestures.ts";
import { openPage } from "../page.ts";
import { eventually, test } from "../stage.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

// Each stops after the test. These are no fixtures: a test that extends another one starts the file's services and browser again.

async function runService(name: keyof typeof serviceMains, variables: Record<string, string>) {
  const service = await startService(root + serviceMains[name], variables);
  onTestFinished(() => service.end("SIGKILL").then(() => undefined));
  return service;
}

async function runProvider() {
  const provider = await startScriptedProvider();
  onTestFinished(() => provider.close());
  return provider;
}

async function runWebsite(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "Access-Control-Allow-Origin": "*" }).end("<h1>Hello</h1>");
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true });

/** Waits for a card's badge and returns the card's text. */
async function cardWith(page: Page, name: string, badge: string): Promise<string> {
  await card(page, name).getByText(badge, { exact: true }).waitFor();
  return (await card(page, name).textContent()) ?? "";
}

describe("Status shows what each service reports", () => {
  test("its provider and models, and that they work", async ({ visit, stack, provider }) => {
    const page = await visit({ at: "#/status" });
    const host = new URL(provider.baseUrl).host;
    expect(await cardWith(page, "Relay (Express)", "Ready")).toContain(`Provider${host}It accepts the key.Modelgpt-4o`);
    const knowledge = await cardWith(page, "Knowledge", "Ready");
    expect(knowledge).toContain("Embedding modeltext-embedding-3-small");
    expect(await cardWith(page, "Listing", "Ready")).toContain("Launchessample data");
    const told = (await (await fetch(`${stack.url}console.json`)).json()) as object;
    expect(Object.keys(told).toSorted()).toEqual(["addresses", "version"]);
  });

  test("its problems, where to fix them, and the line that fixes them", async ({ browser, stack }) => {
    const refusing = await runProvider();
    refusing.scriptModels(answer.error(401, "No such key."));
    const offering = await runProvider();
    const [nest, express, listing] = await Promise.all([
      runService("relay-nest", {
        LLM_BASE_URL: refusing.baseUrl,
        LLM_FALLBACKS: `${offering.baseUrl} - second-model`,
      }),
      runService("relay-express", { LLM_BASE_URL: offering.baseUrl, LLM_API_KEY: "" }),
      runService("listing", { LLM_BASE_URL: offering.baseUrl, CORS_ORIGINS: "https://chat.example.com" }),
    ]);
    const at = `?relayNest=${nest.baseUrl}&relay=${express.baseUrl}&listing=${listing.baseUrl}#/status`;
    // The browser itself logs a blocked request as an error.
    const { page, close, faults } = await openPage(browser, stack.url + at, { viewport: { width: 320, height: 640 } });
    onTestFinished(close);

    const degraded = await cardWith(page, "Relay (Nest)", "Degraded");
    expect(degraded).toContain("The service's settings");
    expect(degraded).toContain(`LLM_API_KEY was rejected by ${new URL(refusing.baseUrl).host}`);
    expect(degraded).toContain(`${new URL(offering.baseUrl).host} second-model`);
    const copied = await openClipboard(page);
    await card(page, "Relay (Nest)").getByRole("button", { name: "Copy LLM_API_KEY" }).click();
    await eventually(copied).toBe("LLM_API_KEY=your-key");
    expect(await cardWith(page, "Relay (Express)", "Not ready")).toContain("LLM_API_KEY is missing");
    const blocked = await cardWith(page, "Listing", "Blocked");
    expect(blocked).toContain(`CORS_ORIGINS=${new URL(stack.url).origin}`);
    await cardWith(page, "Knowledge", "Ready");
    expect(await axeFaults(page)).toEqual([]);
    expect(await getOverflowPx(page)).toBeLessThanOrEqual(0);
    expect(faults.filter((fault) => !fault.includes("CORS"))).toEqual([]);
  });

  test("a relay's deployment URL for each profile, and the others' for AG-UI clients", async ({ visit, stack }) => {
    const page = await visit({ at: "#/status" });
    const copied = await openClipboard(page);
    const deployments = page.getByRole("region", { name: "Deployment URLs" });
    const events = deployments.getByRole("group", { name: "Events of" });
    await eventually(() => events.count()).toBe(2);
    const of = (title: string) =>
      deployments.getByRole("listitem").filter({ has: page.getByText(title, { exact: true }) });
    for (const [title, port] of [
      ["Knowledge", stack.ports.KNOWLEDGE_PORT],
      ["Listing", stack.ports.LISTING_PORT],
    ] as const) {
      await of(title).getByRole("button", { name: "Copy the AG-UI address" }).click();
      await eventually(copied).toBe(`http://127.0.0.1:${port}/agui`);
    }
    const relay = of("Relay (Nest)");
    const url = `http://127.0.0.1:${stack.ports.RELAY_NEST_PORT}/agent`;
    expect(await relay.locator("code").first().textContent()).toBe(url);
    const body = { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "Hello" }] };
    for (const [label, profile, firstEvent] of [
      ["AG-UI 0.0.x", "ag-ui-0", /"RUN_STARTED"/],
      ["AG-UI 1.0", "ag-ui", /"RUN_STARTED".*"protocolVersion"/],
    ] as const) {
      await relay.getByRole("radio", { name: label }).check();
      await relay.getByRole("button", { name: "Copy" }).click();
      await eventually(copied).toBe(`${url}?profile=${profile}`);
      const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
      const response = await fetch(await copied(), { method: "POST", headers, body: JSON.stringify(body) });
      expect((await response.text()).split("\n")[0]).toMatch(firstEvent);
    }
  });

  test("that an address belongs to something else", async ({ visit, stack }) => {
    const relay = `http://127.0.0.1:${stack.ports.RELAY_PORT}`;
    const website = await runWebsite();
    const page = await visit({
      at: `?knowledge=${website}&listing=${relay}&relay=${relay}/agent&relayNest=${relay}/elsewhere#/status`,
      colorScheme: "dark",
    });
    expect(await cardWith(page, "Knowledge", "Wrong address")).toContain(
      `at ${website} is not a service of this project`,
    );
    expect(await cardWith(page, "Listing", "Another service")).toContain("This is the address of the relay service");
    expect(await cardWith(page, "Relay (Express)", "Wrong address")).toMatch(
      /This is a deployment URL.*without \/agent:/,
    );
    expect(await cardWith(page, "Relay (Nest)", "Wrong address")).toContain("not at this path");
    expect(await axeFaults(page)).toEqual([]);
  });

  test("that it has stopped, and automatically that it is back", async ({ visit }) => {
    const [port = 0] = await freePorts(1);
    const variables = { LLM_BASE_URL: (await runProvider()).baseUrl, PORT: String(port) };
    const first = await runService("relay-express", variables);
    const page = await visit({ at: `?relay=${first.baseUrl}#/status` });
    await cardWith(page, "Relay (Express)", "Ready");
    await first.end();
    await page.getByRole("button", { name: "Check now" }).click();
    expect(await cardWith(page, "Relay (Express)", "Down")).toContain(`Nothing answers at ${first.baseUrl}`);
    await runService("relay-express", variables);
    await cardWith(page, "Relay (Express)", "Ready");
  });
});
