/** A place in a text. */
export interface Place {
  start: number;
  end: number;
}

/** Whether two places overlap. */
export const overlaps = (one: Place, other: Place | undefined): boolean =>
  other !== undefined && one.start < other.end && other.start < one.end;

/** A phrase of a category in a text, at its place without its context. */
export interface Span extends Place {
  category: string;
  /** The place including its context. */
  contextStart: number;
  contextEnd: number;
  meaning: string;
  /** Contents of the slots, in order. */
  parts: readonly Span[];
}

export const none: readonly Span[] = [];

/** Maximum number of phrases per category. Finders compare phrases with each other, and no real request has that many. */
const maxPhrases = 64;

/** The phrases of a text. */
export class Chart {
  readonly text: string;
  /** Hidden places of the text. */
  readonly hidden: readonly Place[];
  readonly #spansAt: readonly (readonly Span[])[];
  #byCategory?: Map<string, Span[]>;

  constructor(text: string, spansAt: readonly (readonly Span[])[], hidden: readonly Place[] = []) {
    this.text = text;
    this.hidden = hidden;
    this.#spansAt = spansAt;
  }

  /** The phrases that start at a position, the longest first. */
  at(start: number): readonly Span[] {
    return this.#spansAt[start] ?? none;
  }

  /** The phrases of a category in order. Of those that start together, the longest is first. */
  all(category: string): readonly Span[] {
    this.#byCategory ??= this.#sort();
    return this.#byCategory.get(category) ?? none;
  }

  #sort(): Map<string, Span[]> {
    const sorted = new Map<string, Span[]>();
    for (const spans of this.#spansAt) {
      if (spans === undefined) continue;
      for (const span of spans) {
        const others = sorted.get(span.category);
        if (others === undefined) sorted.set(span.category, [span]);
        else if (others.length < maxPhrases) others.push(span);
      }
    }
    return sorted;
  }

  has(...categories: readonly string[]): boolean {
    return categories.some((category) => this.all(category).length > 0);
  }

  /** The end of the longest phrase of a category that starts at a position. */
  endAt(category: string, start: number): number | undefined {
    return this.at(start).find((span) => span.category === category)?.end;
  }

  /** The phrases between two positions that don't touch hidden places. */
  within(from: number, to: number, hidden: readonly (Place | undefined)[] = []): Chart {
    const places = [...this.hidden, ...hidden.filter((place) => place !== undefined)];
    const isShown = (span: Span): boolean => span.end <= to && !places.some((place) => overlaps(span, place));
    const shown = this.#spansAt.map((spans, start) => (start < from || start >= to ? none : spans.filter(isShown)));
    return new Chart(this.text, shown, places);
  }
}
