/** Dimension of the provider's vectors, as in common embedding models. */
export const dimension = 1_536;

const topics = 500;
const subtopics = 20;
/** Weights of a subtopic and of a chunk's own part, relative to its topic. Chunks of one topic have a cosine of about 0.5. */
const subtopicWeight = 0.6;
const ownWeight = 0.8;
const poolLength = 1 << 22;

/** Normally distributed numbers, the same in each run (Box and Muller, 1958, over xorshift32). */
function normalNumbers(count: number, seed: number): Float32Array {
  let state = seed;
  const uniform = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 1) / 4_294_967_297;
  };
  const numbers = new Float32Array(count);
  for (let index = 0; index < count; index += 2) {
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    const angle = 2 * Math.PI * uniform();
    numbers[index] = radius * Math.cos(angle);
    numbers[index + 1] = radius * Math.sin(angle);
  }
  return numbers;
}

const pool = normalNumbers(poolLength, 20_260_101);

/**
 * A vector for a text, always the same for the same text. Like vectors of real texts, they form groups within groups: words such as
 * `t17s3` put a text into subtopic 3 of topic 17. A text without such a word is put anywhere.
 */
export function embed(text: string): Float32Array {
  const hash = hashText(text);
  const named = /\bt(\d+)s(\d+)\b/.exec(text);
  const topic = named ? Number(named[1]) % topics : hash % topics;
  const subtopic = named ? Number(named[2]) % subtopics : (hash >>> 10) % subtopics;
  const topicAt = topic * dimension;
  const subtopicAt = (topics + ((topic * subtopics + subtopic) % (2 * topics))) * dimension;
  const ownAt = 3 * topics * dimension + (hash % (poolLength - (3 * topics + 1) * dimension));
  const vector = new Float32Array(dimension);
  for (let index = 0; index < dimension; index++) {
    vector[index] =
      (pool[topicAt + index] ?? 0) +
      subtopicWeight * (pool[subtopicAt + index] ?? 0) +
      ownWeight * (pool[ownAt + index] ?? 0);
  }
  return vector;
}

/** FNV-1a, 32 bits (Fowler, Noll and Vo). */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
