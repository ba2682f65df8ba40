import type { RelayProfile } from "@agent-backends/contract";

export const keyPrefix = "agent-backends:relay:";

export const toStream = (name: string) => `${keyPrefix}run:${name}`;

/** The id of an entry is the id of the last event in it, or before it, and one of these numbers. */
export const entryPart = {
  /** A batch of events. The last one has the field `end`. */
  events: 0,
  /** The first entry, with the id 0: which replica runs the run, and in which profile. */
  start: 1,
  /** Stands in place of all others: why the run can't be resumed. */
  lost: 2,
};

export type RawEntry = [id: Buffer, fields: Buffer[]];

interface Entry {
  lastId: number;
  events: Buffer | undefined;
  hasEnded: boolean;
  lostReason: string | undefined;
  replica: string;
  profile: RelayProfile;
}

export function parseEntry([id, fields]: RawEntry): Entry {
  const get = (name: string) => {
    const place = fields.findIndex((field, index) => index % 2 === 0 && field.toString() === name);
    return place < 0 ? undefined : fields[place + 1];
  };
  return {
    lastId: Number.parseInt(id.toString(), 10),
    events: get("events"),
    hasEnded: get("end") !== undefined,
    lostReason: get("lost")?.toString(),
    replica: get("replica")?.toString() ?? "",
    profile: (get("profile")?.toString() ?? "contract") as RelayProfile,
  };
}
