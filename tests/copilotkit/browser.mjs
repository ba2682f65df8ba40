// What a test needs of the packages that are installed here.
export { CopilotKitCore } from "@copilotkit/core";
export { z } from "zod";
