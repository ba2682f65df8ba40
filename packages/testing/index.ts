export { CertificateAuthority, createSelfSignedCertificate } from "./certificates.ts";
export type { DocxBlock, SheetCell } from "./files/office.ts";
export {
  docx,
  docxOfXml,
  encryptedOffice,
  endlessDocx,
  epub,
  odp,
  ods,
  odt,
  openDocument,
  pptx,
  xlsx,
} from "./files/office.ts";
export type { PdfOptions } from "./files/pdf.ts";
export { pdf, pdfWithAnnotations, pdfWithNamedCharacters } from "./files/pdf.ts";
export type { ZipPart } from "./files/zip.ts";
export { escapeXml, zip } from "./files/zip.ts";
export type { Behaviour } from "./listing-site/behaviour.ts";
export type { ListingSite, SiteRequest } from "./listing-site/listing-site.ts";
export { startListingSite } from "./listing-site/listing-site.ts";
export type { SitePost } from "./listing-site/posts.ts";
export type { ObjectStore } from "./object-store.ts";
export { startObjectStore } from "./object-store.ts";
export { patience } from "./patience.ts";
export type { PostgresServer } from "./postgres-server.ts";
export { startPostgresServer } from "./postgres-server.ts";
export { CommandProcess, freePorts } from "./processes.ts";
export { measureSlowness } from "./processor-speed.ts";
export type { Piece, ScriptedAnswer, ScriptedToolCall, StreamEnd } from "./provider/answers.ts";
export { answer } from "./provider/answers.ts";
export type { RecordedRequest, Script, ScriptedProvider } from "./provider/scripted-provider.ts";
export { startScriptedProvider } from "./provider/scripted-provider.ts";
export type { TestProxy } from "./proxy.ts";
export { startProxy } from "./proxy.ts";
export type { RedisServer } from "./redis-server.ts";
export { startRedisServer } from "./redis-server.ts";
export { startNginx, startReplicas } from "./replicas.ts";
export type { LogLine, ServiceName, ServiceProcess } from "./service-process.ts";
export { runToExit, serviceMains, startService } from "./service-process.ts";
export type { SlowReader } from "./slow-reader.ts";
export { postWithoutReading } from "./slow-reader.ts";
export type { SseFrame } from "./sse.ts";
export { parseSse, parseSseEvents } from "./sse.ts";
