/**
 * The shards in whose rolls a server may be noted. One write unit covers forty servers. With
 * smaller rolls fewer servers share a write; larger ones cost more per note, and several workers
 * write them often. So the number of shards grows with the fleet, by levels. A reader looks into
 * one shard of each level.
 */

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

export const shardsOf = (serverId: string): readonly string[] =>
  Array.from({ length: LEVEL_MAX + 1 }, (_, level) => shardAt(serverId, level));
