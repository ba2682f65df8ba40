export { CertificateAuthority, createSelfSignedCertificate } from "./certificates.ts";
export type { DocxBlock } from "./files/office.ts";
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
export { pdf, pdfWithAnnotations, pdfWithNamedCharacters } from "./files/pdf.ts";
export { zip } from "./files/zip.ts";
export type { Behaviour } from "./listing-site/behaviour.ts";
export type { ListingSite } from "./listing-site/listing-site.ts";
export { startListingSite } from "./listing-site/listing-site.ts";
export type { ObjectStore } from "./object-store.ts";
export { startObjectStore } from "./object-store.ts";
export { patience } from "./patience.ts";
export type { PostgresServer } from "./postgres-server.ts";
export { startPostgresServer } from "./postgres-server.ts";
export { CommandProcess, freePorts } from "./processes.ts";
export { measureSlowness } from "./processor-speed.ts";
export type { ScriptedAnswer } from "./provider/answers.ts";
export { answer } from "./provider/answers.ts";
export type { Script, ScriptedProvider } from "./provider/scripted-provider.ts";
export { startScriptedProvider } from "./provider/scripted-provider.ts";
export type { TestProxy } from "./proxy.ts";
export { startProxy } from "./proxy.ts";
export type { RedisServer } from "./redis-server.ts";
export { startRedisServer } from "./redis-server.ts";
export { startNginx, startReplicas } from "./replicas.ts";
export type { ServiceName, ServiceProcess } from "./service-process.ts";
export { runToExit, serviceMains, startService } from "./service-process.ts";
export { postWithoutReading } from "./slow-reader.ts";
export { parseSse, parseSseEvents } from "./sse.ts";
