// npm run train:routing
// Trains the routing's model from services/listing/routing/examples/ and writes its weights.
import { writeFileSync } from "node:fs";
import { addVariants, readExamples, readLabelledMessages } from "../services/listing/routing/model/examples.ts";
import { fingerprint, pack, train } from "../services/listing/routing/model/train.ts";

const messages = readLabelledMessages();
const examples = readExamples(addVariants(messages));
writeFileSync(
  new URL("../services/listing/routing/model/weights.json", import.meta.url),
  `${JSON.stringify({ trainedOn: fingerprint(readExamples(messages)), ...pack(train(examples)) }, null, 2)}\n`,
);
console.log(`trained on ${examples.length} examples`);
