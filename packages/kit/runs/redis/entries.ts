import type { RelayProfile } from "@agent-backends/contract";

export const keyPrefix = "agent-backends:relay:";

export const toStream = (name: string) => `${keyPrefix}run:${name}`;

/** An entry's id consists of the id of the last event in or before it, and one of these numbers. */
export const entryPart = {
  /** A batch of events. The last batch has the field `end`. */
  events: 0,
  /** The first entry, with the id 0: the replica that executes the run, and its profile. */
  start: 1,
  /** Replaces all other entries: the reason why the run can't be resumed. */
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
