export { ApiDocs, apiDocsPaths, findApiDocsPath } from "./api-docs.ts";
