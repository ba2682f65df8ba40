// node scripts/measure-ingest.ts
// Measures the service's memory during ingests of up to 50 MB, and how fast /health answers while it reads hostile and huge files.

import { docxOfXml, pdf, xlsx, zip } from "@agent-backends/testing";
import { HealthWatch } from "./documents/health.ts";
import { startTestedService } from "./documents/service.ts";

const megabyte = 1024 * 1024;
const size = 50 * megabyte;
const words = (bytes: number) => Buffer.from("Some words of plain text, in sentences. And\n".repeat(bytes / 44));
const wordSpace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

const noise = new Uint8Array(size - 2_000);
for (let index = 0; index < noise.length; index++) noise[index] = (index * 2_654_435_761) >>> 24;
const pdfWithAttachment = Buffer.concat([pdf([["A page of text."]]), noise]);

const files: [name: string, bytes: () => Uint8Array][] = [
  ["warm.txt", () => Buffer.from("Warm.")],
  [
    "warm.docx",
    () => docxOfXml(`<w:document ${wordSpace}><w:body><w:p><w:r><w:t>Hi</w:t></w:r></w:p></w:body></w:document>`),
  ],
  ["noise.bin", () => noise],
  ["large.pdf", () => pdfWithAttachment],
  [
    "image-heavy.docx",
    () =>
      zip([
        { name: "[Content_Types].xml", content: "<Types/>" },
        { name: "word/media/a.png", content: noise.subarray(0, 45 * megabyte) },
        {
          name: "word/document.xml",
          content: `<w:document ${wordSpace}><w:body><w:p><w:r><w:t>Text beside pictures</w:t></w:r></w:p></w:body></w:document>`,
        },
      ]),
  ],
  ["one-line.txt", () => Buffer.alloc(20 * megabyte, "x")],
  ["headings.md", () => Buffer.from("# a\n".repeat(2 * megabyte))],
  ["deep.html", () => Buffer.from("<div>".repeat(400_000))],
  ["tables.html", () => Buffer.from("<table><tr><td>".repeat(200_000))],
  [
    "bomb.docx",
    () =>
      docxOfXml(
        `<w:document ${wordSpace}><w:body>${"<w:p><w:r><w:t>boom</w:t></w:r></w:p>".repeat(1_000_000)}</w:body></w:document>`,
      ),
  ],
  ["bomb.xlsx", () => xlsx({ Sheet: Array.from({ length: 300_000 }, () => ["boom", "boom", "boom"]) })],
  ["deep.json", () => Buffer.from("[".repeat(5 * megabyte))],
  ["text-5.txt", () => words(5 * megabyte)],
  ["text-50.txt", () => words(size)],
];

const service = await startTestedService();
const health = new HealthWatch(service.baseUrl, 5);
for (const [name, make] of files) {
  const content = make() as Uint8Array<ArrayBuffer>;
  health.takeSlowest();
  const before = await service.residentBytes();
  let most = before;
  const watching = setInterval(async () => {
    most = Math.max(most, await service.residentBytes());
  }, 20);
  const started = performance.now();
  const { saved, errors } = await service.client.ingest({ namespace: name, files: [{ name, content }] });
  clearInterval(watching);
  const outcome = saved[0] ? `${saved[0].chunks} chunks` : `${errors[0]?.code}`;
  const mb = (bytes: number) => (bytes / megabyte).toFixed(0).padStart(5);
  console.log(
    `${name.padEnd(18)} ${outcome.padEnd(16)} ${(performance.now() - started).toFixed(0).padStart(6)} ms  memory ${mb(before)} MB, at most +${mb(most - before)} MB  health at most ${health.takeSlowest().toFixed(0)} ms`,
  );
}
const { count, p50, p99, max } = await health.stop();
console.log(`health: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, slowest ${max.toFixed(0)} ms of ${count}`);
await service.end();
