import type { Command } from "../command.ts";
import { ask } from "./ask.ts";
import { changes } from "./changes.ts";
import { chat } from "./chat.ts";
import { createCompletion } from "./completion.ts";
import { doctor } from "./doctor.ts";
import { documents } from "./documents.ts";
import { evaluation } from "./eval.ts";
import { ingest } from "./ingest.ts";
import { keys } from "./keys.ts";
import { relay } from "./relay.ts";
import { search } from "./search.ts";
import { serve } from "./serve.ts";
import { sync } from "./sync.ts";
import { top } from "./top.ts";
import { exportNamespace, importNamespace } from "./transfer.ts";

/** Every command, in the order of help and docs. To add one: write its file, add it here, and run `npm run docs:tables`. */
export const commands: readonly Command[] = [
  serve,
  ask,
  chat,
  ingest,
  sync,
  search,
  documents,
  changes,
  exportNamespace,
  importNamespace,
  top,
  relay,
  evaluation,
  doctor,
  keys,
  createCompletion(() => commands),
];
