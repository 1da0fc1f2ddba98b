/**
 * What a long-lived worker remembers between polls: documents, what it last knew of each server,
 * and its poll rolls (lib/model/sighting.ts). Most polls then cost no read of a sighting or
 * document, and no write of their own.
 * M1: a server's polls are noted at least every POLL_NOTE_INTERVAL_MS plus one poll interval,
 * whatever other workers do. A worker trusts only notes that it has made or read itself.
 * M2: a worker that dies loses notes that are not stored yet. The next poll is compared with the
 * stored note, and so is due.
 * M3: another worker may have written about a server meanwhile, so a worker compares what it
 * remembers with the record every REMEMBERED_MS_MAX.
 */
import { mapOf } from "#lib/json.ts";
import type { PollRoll, ServerFindings, ServerSighting } from "#lib/model/sighting.ts";
import { type DocumentMemory, documentMemory } from "../document/document-memory.ts";
import {
  NOT_POLLING_MS,
  POLL_ROLL_MS_MAX,
  POLL_ROLL_SERVERS_MAX,
  REMEMBERED_SERVERS_MAX,
} from "./limits.ts";

interface Called {
  readonly polledAt: number;
  readonly notedAt: number;
}

export interface KnownServer {
  /** As last read or written by this worker. The last poll may come from a stored roll. */
  readonly findings: ServerFindings;
  readonly sightedAt: number;
  readonly readAt: number;
}

export interface PollMemory {
  readonly documents: DocumentMemory;
  known(serverId: string): KnownServer | null;
  remember(serverId: string, findings: ServerFindings, now: number): void;
  shardOf(serverId: string): string;
  call(serverId: string, now: number): boolean;
  rollOf(serverId: string, now: number): PollRoll;
  isAlone(shard: string, now: number): boolean;
  learn(shard: string, rolls: readonly PollRoll[], now: number): void;
  noted(roll: PollRoll): void;
}

/** A worker that was alone looks for others again after this time. Looking only saves writes. */
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

/** `writer` must be unique among all workers. */
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
  /** The level never shrinks, so workers that serve the same fleet come to the same level. */
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
      // A roll leaves out a server whose newest poll another roll contains.
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

export const lastCall = (serverId: string, rolls: readonly PollRoll[]): number | null =>
  rolls.reduce<number | null>((last, { polls }) => {
    const at = polls[serverId];
    return at === undefined ? last : Math.max(at, last ?? at);
  }, null);

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

const SHARD_SERVERS_MAX = 80;
const SHARDS_A_LEVEL = 4;
/** At most 256 shards, for twenty thousand servers. In a larger fleet their rolls grow. */
const LEVEL_MAX = 4;

const shardsAt = (level: number): number => SHARDS_A_LEVEL ** level;

export const levelFor = (servers: number): number => {
  let level = 0;
  while (level < LEVEL_MAX && servers > SHARD_SERVERS_MAX * shardsAt(level)) level += 1;
  return level;
};

/** Ids end in random digits, which spread servers evenly. A shard's name is never a server's id. */
export const shardAt = (serverId: string, level: number): string => {
  const digits = Number.parseInt(serverId.slice(-2), 16) || 0;
  return `polls#${level}#${digits % shardsAt(level)}`;
};

/**
 * The shards in whose rolls a server may be noted. One write unit covers forty servers. With
 * smaller rolls fewer servers share a write; larger ones cost more per note, and several workers
 * write them often. So the number of shards grows with the fleet, by levels. A reader looks into
 * one shard of each level.
 */
export const shardsOf = (serverId: string): readonly string[] =>
  Array.from({ length: LEVEL_MAX + 1 }, (_, level) => shardAt(serverId, level));
