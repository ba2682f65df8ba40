/** How long a provider may be silent while it answers. */
export interface AnswerTimeouts {
  /** Until the first event of its answer. Large models on long prompts take their time. */
  firstTokenTimeoutMs: number;
  /** Between two events. */
  idleTimeoutMs: number;
}

export const defaultAnswerTimeouts: AnswerTimeouts = { firstTokenTimeoutMs: 120_000, idleTimeoutMs: 60_000 };
