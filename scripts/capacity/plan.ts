/** Measured costs of one unit of each workload on one core. */
export interface Costs {
  relay: { runMicros: number; tokenMicros: number; baseBytes: number; streamBytes: number };
  knowledge: {
    searchMicros: number;
    answerMicros: number;
    chunkMicros: number;
    chunkBytes: number;
    startedBytes: number;
    residentBytes: number;
  };
  listing: { answerMicros: number; residentBytes: number };
}

/** Assumed usage. Every value can be set on the command line. */
export interface Usage {
  users: number;
  /** Number of stored documents. */
  docs: number;
  /** Share of the users who send messages on one day. */
  activeShare: number;
  messagesPerUserAndDay: number;
  /** Share of a day's messages in its busiest hour. */
  peakHourShare: number;
  /** Share of the messages that goes to each agent. */
  relayShare: number;
  knowledgeShare: number;
  listingShare: number;
  tokensPerAnswer: number;
  /** Duration of a streamed answer. It depends on the model. */
  secondsPerAnswer: number;
  chunksPerDoc: number;
  /** Share of the documents that are added or changed each day. */
  changedDocsPerDay: number;
  /** Target load of a core in the busiest hour. */
  targetLoad: number;
  dollarsPerCoreHour: number;
  dollarsPerGigabyteMonth: number;
}

export const defaultUsage: Usage = {
  users: 10_000,
  docs: 100_000,
  activeShare: 0.2,
  messagesPerUserAndDay: 10,
  peakHourShare: 0.12,
  relayShare: 0.4,
  knowledgeShare: 0.5,
  listingShare: 0.1,
  tokensPerAnswer: 300,
  secondsPerAnswer: 8,
  chunksPerDoc: 10,
  changedDocsPerDay: 0.01,
  targetLoad: 0.5,
  dollarsPerCoreHour: 0.0425,
  dollarsPerGigabyteMonth: 0.08,
};

export interface ServicePlan {
  /** Cores in the busiest hour, at the target load. */
  cores: number;
  /** One more than needed for the cores, so that one process can be restarted or lost. */
  processes: number;
  memoryBytes: number;
}

export interface Plan {
  messagesPerSecond: number;
  openStreams: number;
  relay: ServicePlan;
  knowledge: ServicePlan;
  listing: ServicePlan;
  storeBytes: number;
  dollarsPerMonth: number;
}

const microsPerSecond = 1_000_000;
const secondsPerHour = 3_600;
const secondsPerDay = 86_400;
const hoursPerMonth = 730;
/** Memory that each process keeps free for large requests. */
const headroomBytes = 256 * 2 ** 20;
const bytesPerGigabyte = 1e9;

/** Computes cores, memory and storage for a usage: rates of the busiest hour times measured costs. */
export function planCapacity(usage: Usage, costs: Costs): Plan {
  const messagesPerSecond =
    (usage.users * usage.activeShare * usage.messagesPerUserAndDay * usage.peakHourShare) / secondsPerHour;
  const openStreams = messagesPerSecond * usage.secondsPerAnswer;
  const planService = (share: number, microsPerMessage: number, baseBytes: number, otherCores = 0): ServicePlan => {
    const busy = (messagesPerSecond * share * microsPerMessage) / microsPerSecond + otherCores;
    const cores = busy / usage.targetLoad;
    const processes = share === 0 ? 0 : Math.ceil(cores) + (usage.users > smallInstallation ? 1 : 0);
    const streamBytes = openStreams * share * costs.relay.streamBytes;
    return { cores, processes, memoryBytes: processes * (baseBytes + headroomBytes) + streamBytes };
  };
  const { relay, knowledge, listing } = costs;
  const changedChunks = usage.docs * usage.changedDocsPerDay * usage.chunksPerDoc;
  const ingestCores = ((changedChunks / secondsPerDay) * knowledge.chunkMicros) / microsPerSecond;
  const plan = {
    relay: planService(usage.relayShare, relay.runMicros + usage.tokensPerAnswer * relay.tokenMicros, relay.baseBytes),
    knowledge: planService(usage.knowledgeShare, knowledge.answerMicros, knowledge.residentBytes, ingestCores),
    listing: planService(usage.listingShare, listing.answerMicros, listing.residentBytes),
  };
  const storeBytes = usage.docs * usage.chunksPerDoc * knowledge.chunkBytes;
  const cores = Object.values(plan).reduce((sum, { processes }) => sum + processes, 0);
  const dollarsPerMonth =
    cores * usage.dollarsPerCoreHour * hoursPerMonth + (storeBytes / bytesPerGigabyte) * usage.dollarsPerGigabyteMonth;
  return { messagesPerSecond, openStreams, ...plan, storeBytes, dollarsPerMonth };
}

/** Up to this many users, one process of each service is enough: a restart takes only seconds. */
const smallInstallation = 1_000;
