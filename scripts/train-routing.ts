// npm run train:routing
// Trains the routing's model from services/listing/routing/examples/ and writes its weights.
import { writeFileSync } from "node:fs";
import { readExamples } from "../services/listing/routing/model/examples.ts";
import { fingerprint, pack, train } from "../services/listing/routing/model/train.ts";

const examples = readExamples();
writeFileSync(
  new URL("../services/listing/routing/model/weights.json", import.meta.url),
  `${JSON.stringify({ trainedOn: fingerprint(examples), ...pack(train(examples)) }, null, 2)}\n`,
);
console.log(`trained on ${examples.length} examples`);
