export type { DocxBlock, SheetCell } from "./office.ts";
export { docx, docxOfXml, encryptedOffice, epub, odp, ods, odt, openDocument, pptx, xlsx } from "./office.ts";
export type { PdfOptions } from "./pdf.ts";
export { pdf, pdfWithAnnotations, pdfWithNamedCharacters } from "./pdf.ts";
export type { ZipPart } from "./zip.ts";
export { escapeXml, zip } from "./zip.ts";
