/**
 * Which rolls a server may be noted in. A write unit holds forty servers. Smaller rolls share a
 * write among fewer. Larger ones cost more for each note, and several workers write them often. So
 * the number of shards grows with the fleet, by levels. A reader looks into a shard of each level.
 */

/** Of a shard, on average: two write units. */
const SHARD_SERVERS_MAX = 80;
const SHARDS_A_LEVEL = 4;
/** 256 shards at most, for twenty thousand servers. Beyond that their rolls grow. */
const LEVEL_MAX = 4;

const shardsAt = (level: number): number => SHARDS_A_LEVEL ** level;

export const levelFor = (servers: number): number => {
  let level = 0;
  while (level < LEVEL_MAX && servers > SHARD_SERVERS_MAX * shardsAt(level)) level += 1;
  return level;
};

/** Ids end in random digits, which spread servers evenly. No server has the shard's name. */
export const shardAt = (serverId: string, level: number): string => {
  const digits = Number.parseInt(serverId.slice(-2), 16) || 0;
  return `polls#${level}#${digits % shardsAt(level)}`;
};

/** Workers may be at different levels. */
export const shardsOf = (serverId: string): readonly string[] =>
  Array.from({ length: LEVEL_MAX + 1 }, (_, level) => shardAt(serverId, level));
