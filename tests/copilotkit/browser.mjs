// The exports of the packages installed here that a test needs.
export { CopilotKitCore } from "@copilotkit/core";
export { z } from "zod";
