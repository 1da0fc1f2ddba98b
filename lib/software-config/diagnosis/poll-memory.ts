/**
 * What a long-lived worker remembers between polls: documents, what it last knew of each server,
 * and its rolls (lib/model/poll-roll.ts). So most polls cost no read of a sighting or of a
 * document, and no write of their own.
 *
 * M1: no server's polls stay unnoted for longer than POLL_NOTE_INTERVAL_MS and one poll interval,
 * whatever other workers do. A worker goes by the notes that it has made or read itself.
 * M2: a worker that dies loses notes that no record has yet. The next poll finds the stored note,
 * and is due by it.
 * M3: another worker may have written of a server since this one did. So what a worker remembers of
 * it is compared with the record every REMEMBERED_MS_MAX.
 */
import { mapOf } from "#lib/json-map.ts";
import type { PollRoll } from "#lib/model/poll-roll.ts";
import type { ServerFindings, ServerSighting } from "#lib/model/sighting.ts";
import { type DocumentMemory, documentMemory } from "../document/document-memory.ts";
import {
  NOT_POLLING_MS,
  POLL_ROLL_MS_MAX,
  POLL_ROLL_SERVERS_MAX,
  REMEMBERED_SERVERS_MAX,
} from "./limits.ts";
import { levelFor, shardAt } from "./poll-shards.ts";

interface Called {
  readonly polledAt: number;
  /** The last poll of the server that a roll has, as far as this worker knows. */
  readonly notedAt: number;
}

export interface KnownServer {
  /** As last read or written by this worker. The last poll may be that of a stored roll. */
  readonly findings: ServerFindings;
  /** The last poll that the server's own sighting has. */
  readonly sightedAt: number;
  /** When this worker last read or wrote the sighting. */
  readonly readAt: number;
}

export interface PollMemory {
  readonly documents: DocumentMemory;
  /** Null: this worker has not read or written the server's sighting. */
  known(serverId: string): KnownServer | null;
  /** `now` is when the findings were read or written. */
  remember(serverId: string, findings: ServerFindings, now: number): void;
  /** The shard whose roll has the server. */
  shardOf(serverId: string): string;
  /** Puts a poll on the roll of the server's shard. False: the roll is full. */
  call(serverId: string, now: number): boolean;
  /** The whole roll of the server's shard, to be stored. */
  rollOf(serverId: string, now: number): PollRoll;
  /** Whether no other worker served the shard when this one last looked, not long ago. */
  isAlone(shard: string, now: number): boolean;
  /** Takes over what all workers' rolls of the shard have noted. */
  learn(shard: string, rolls: readonly PollRoll[], now: number): void;
  /** A roll is stored, by this worker or another. */
  noted(roll: PollRoll): void;
}

/** A worker that was alone looks again for others this often. A look only saves writes. */
const ALONE_MS = 600_000;

const isLive = ({ polls }: PollRoll, now: number): boolean =>
  Object.values(polls).some((polledAt) => now - polledAt < NOT_POLLING_MS);

interface ReadSighting {
  readonly findings: ServerFindings;
  readonly readAt: number;
}

const sightingMemory = () => {
  const sightings = new Map<string, ReadSighting>();
  return {
    /** `notedAt` is the last poll that a roll has. */
    known: (serverId: string, notedAt: number): KnownServer | null => {
      const sighting = sightings.get(serverId);
      const sightedAt = sighting?.findings.lastPollAt ?? null;
      if (sighting === undefined || sightedAt === null) return null;
      const { findings, readAt } = sighting;
      const lastPollAt = Math.max(sightedAt, notedAt);
      return { findings: { ...findings, lastPollAt }, sightedAt, readAt };
    },
    remember: (serverId: string, findings: ServerFindings, now: number): void => {
      if (sightings.size >= REMEMBERED_SERVERS_MAX) sightings.clear();
      sightings.set(serverId, { findings, readAt: now });
    },
  };
};

/** `writer` is unique among all workers. */
export const pollMemory = (writer: string): PollMemory => {
  const { known, remember } = sightingMemory();
  const rolls = new Map<string, Map<string, Called>>();
  const aloneUntil = new Map<string, number>();
  let level = 0;
  const shardOf = (serverId: string): string => shardAt(serverId, level);
  const calledIn = (shard: string): Map<string, Called> => {
    const roll = rolls.get(shard) ?? new Map<string, Called>();
    rolls.set(shard, roll);
    return roll;
  };
  /** It never shrinks, so workers that serve the same fleet come to the same level. */
  const grow = (): void => {
    const servers = [...rolls.values()].reduce((sum, roll) => sum + roll.size, 0);
    if (levelFor(servers) <= level) return;
    level = levelFor(servers);
    const all = [...rolls.values()].flatMap((roll) => [...roll]);
    rolls.clear();
    for (const [id, called] of all) calledIn(shardOf(id)).set(id, called);
  };
  const note = (shard: string, polls: PollRoll["polls"]): void => {
    const roll = calledIn(shard);
    for (const [id, notedAt] of Object.entries(polls)) {
      const called = roll.get(id);
      if (called === undefined) continue;
      roll.set(id, { ...called, notedAt: Math.max(called.notedAt, notedAt) });
    }
  };
  return {
    documents: documentMemory(),
    known: (serverId) => known(serverId, rolls.get(shardOf(serverId))?.get(serverId)?.notedAt ?? 0),
    remember,
    shardOf,
    call: (serverId, now) => {
      const roll = calledIn(shardOf(serverId));
      const called = roll.get(serverId);
      if (called === undefined && roll.size >= POLL_ROLL_SERVERS_MAX) return false;
      roll.set(serverId, { polledAt: now, notedAt: called?.notedAt ?? 0 });
      if (called === undefined) grow();
      return true;
    },
    rollOf: (serverId, now) => {
      const shard = shardOf(serverId);
      const roll = calledIn(shard);
      for (const [id, { polledAt }] of roll)
        if (now - polledAt >= POLL_ROLL_MS_MAX) roll.delete(id);
      // The newest note stays in its own roll, so a roll leaves out what another has newer.
      const newest = [...roll].filter(([, { polledAt, notedAt }]) => polledAt >= notedAt);
      const polls = mapOf(newest.map(([id, { polledAt }]) => [id, polledAt]));
      return { shard, writer, polls, expiresAt: now + POLL_ROLL_MS_MAX };
    },
    isAlone: (shard, now) => now < (aloneUntil.get(shard) ?? 0),
    learn: (shard, stored, now) => {
      for (const { polls } of stored) note(shard, polls);
      const others = stored.filter((roll) => roll.writer !== writer && isLive(roll, now));
      if (others.length === 0) aloneUntil.set(shard, now + ALONE_MS);
    },
    noted: ({ shard, polls }) => note(shard, polls),
  };
};

/** The last poll of a server that any worker's roll has; null: none has it. */
export const lastCall = (serverId: string, rolls: readonly PollRoll[]): number | null =>
  rolls.reduce<number | null>((last, { polls }) => {
    const at = polls[serverId];
    return at === undefined ? last : Math.max(at, last ?? at);
  }, null);

/** A worker with a memory notes most polls in its roll only. */
export const withLastCall = (
  sighting: ServerSighting,
  rolls: readonly PollRoll[],
): ServerSighting => {
  const { lastPollAt, serverId } = sighting;
  const calledAt = lastCall(serverId, rolls);
  return {
    ...sighting,
    lastPollAt: calledAt === null ? lastPollAt : Math.max(calledAt, lastPollAt ?? calledAt),
  };
};
