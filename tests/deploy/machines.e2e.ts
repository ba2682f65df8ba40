import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { deploy, knownVariables, readText, root } from "./files.ts";

const folder = mkdtempSync(join(tmpdir(), "deploy-machines-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    replicas?: number;
    template?: { spec: { containers: { env: { name: string }[]; args: string[] }[] } };
    strategy?: { type: string };
  };
}

function render(values?: string): Manifest[] {
  const file = join(folder, "values.yaml");
  if (values !== undefined) writeFileSync(file, values);
  const renderer = join(root, "tests/deploy/render-chart.go");
  const env = { ...process.env, GO111MODULE: "off", GOPATH: "/usr/share/gocode", GOFLAGS: "" };
  const given = values === undefined ? [] : [file];
  const text = execFileSync("go", ["run", renderer, join(deploy, "chart"), ...given], { env, encoding: "utf8" });
  expect(text).not.toContain("<no value>");
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

async function validate({ apiVersion, kind, ...rest }: Manifest): Promise<void> {
  const types = await import(`kubernetes-models/${apiVersion}`);
  new types[kind]({ apiVersion, kind, ...rest }).validate();
}

const everything = `
services:
  relay: { autoscaling: { enabled: true } }
  knowledge: { replicas: 3, volume: { enabled: false }, environment: { KNOWLEDGE_STORE: "s3://bucket/store" } }
  listing: { enabled: false }
ingress: { enabled: true, annotations: { a: b } }
imagePullSecrets: [{ name: registry }]
`;

describe("the chart", () => {
  const kinds = (manifests: Manifest[]) => manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();

  test("renders objects that Kubernetes accepts", async () => {
    const manifests = render();
    for (const manifest of manifests) await validate(manifest);
    expect(kinds(manifests)).toEqual([
      ...["Deployment agents-knowledge", "Deployment agents-listing", "Deployment agents-relay"],
      ...["NetworkPolicy agents-knowledge", "NetworkPolicy agents-listing", "NetworkPolicy agents-relay"],
      "PersistentVolumeClaim agents-knowledge",
      ...["PodDisruptionBudget agents-listing", "PodDisruptionBudget agents-relay"],
      ...["Service agents-knowledge", "Service agents-listing", "Service agents-relay"],
    ]);
  });

  test("renders replicas on an object store, autoscaling and an ingress", async () => {
    const manifests = render(everything);
    for (const manifest of manifests) await validate(manifest);
    expect(kinds(manifests)).toEqual([
      ...["Deployment agents-knowledge", "Deployment agents-relay", "HorizontalPodAutoscaler agents-relay"],
      ...["Ingress agents", "NetworkPolicy agents-knowledge", "NetworkPolicy agents-relay"],
      ...["PodDisruptionBudget agents-knowledge", "PodDisruptionBudget agents-relay"],
      ...["Service agents-knowledge", "Service agents-relay"],
    ]);
    const deployments = manifests.filter(({ kind }) => kind === "Deployment");
    expect(deployments.map(({ spec }) => [spec.replicas, spec.strategy?.type])).toEqual([
      [3, "RollingUpdate"],
      [undefined, "RollingUpdate"],
    ]);
  });

  test("sets only variables that the services read", () => {
    const containers = render(everything).flatMap(({ spec }) => spec.template?.spec.containers ?? []);
    const names = containers.flatMap(({ env }) => env.map(({ name }) => name));
    expect(names.filter((name) => !knownVariables.has(name))).toEqual([]);
    expect(names).toContain("KNOWLEDGE_STORE");
  });
});

test("the compose file sets only variables that the services read", () => {
  const compose = parse(readText("compose/compose.yaml"), { merge: true }) as {
    services: Record<string, { image: string; environment?: object }>;
  };
  const own = Object.values(compose.services).filter(({ image }) => image === "agent-backends");
  const names = own.flatMap(({ environment = {} }) => Object.keys(environment));
  expect(own.length).toBe(4);
  expect(names.filter((name) => !knownVariables.has(name))).toEqual([]);
});

test("systemd accepts the unit and finds it well confined", () => {
  const unit = join(folder, "agent-backends@.service");
  writeFileSync(
    unit,
    readText("systemd/agent-backends@.service").replaceAll("/opt/agent-backends", root.replace(/\/$/, "")),
  );
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const security = execFileSync("systemd-analyze", ["security", "--offline=true", unit], { encoding: "utf8" });
  expect(Number(/exposure level.*: ([\d.]+)/.exec(security)?.[1])).toBeLessThan(2);
});
