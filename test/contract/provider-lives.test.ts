/**
 * Random lives on the providers' doubles. `HEARTH_LIVES=ec2:17:200` plays 200 of them on EC2, from
 * the seed 17 on. A line that fails names its own seed.
 */
import { expect, it } from "vitest";
import * as z from "zod";
import { CLOUDS } from "./drift/live-clouds.ts";
import { liveOnce } from "./drift/provider-lives.ts";

const COUNT = 6;
const LIVES_MS_MAX = 1_200_000;

const [only = "", from, count] = (process.env["HEARTH_LIVES"] ?? "").split(":");
const number = z.coerce.number().int().min(1);
const clouds = Object.entries(CLOUDS).filter(([name]) => only === "" || name === only);

it.each(clouds)(
  "P27: no order of requests deletes what could be repaired on %s, or wedges its stack",
  async (name, cloud) => {
    const faults: string[] = [];
    const first = number.parse(from || 1);
    for (let seed = first; seed < first + number.parse(count || COUNT); seed += 1) {
      const fault = await liveOnce(cloud, seed);
      if (fault !== null) faults.push(`HEARTH_LIVES=${name}:${seed}:1: ${fault}`);
    }
    expect(faults).toEqual([]);
  },
  LIVES_MS_MAX,
);
