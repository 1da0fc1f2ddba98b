import type { Command } from "commander";
import { z } from "zod";
import { PurgeAnswer } from "#lib/api/leftovers.ts";
import { declare, onHost } from "../declaration.ts";
import { option } from "../options.ts";
import { tableLines } from "../print.ts";

type Purged = z.infer<typeof PurgeAnswer>;

/** The granularities of `heat-manage purge_deleted`. */
const SECONDS = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 };

const OLDER_THAN_TEXT = "--older-than is a whole number, 0 or more";

const PurgeOptions = z.object({
  olderThan: option(
    "--older-than <age>",
    "only stacks that were deleted at least this long ago",
    z.coerce.number(OLDER_THAN_TEXT).int(OLDER_THAN_TEXT).min(0, OLDER_THAN_TEXT),
  ),
  granularity: option(
    "-g, --granularity <unit>",
    "of that age",
    z.enum(["days", "hours", "minutes", "seconds"]).default("days"),
  ),
});

export const addPurgeCommand = (program: Command): void =>
  declare(program, {
    usage: "purge",
    action: onHost(PurgeOptions, async ({ client, print }, { olderThan, granularity }) => {
      const older_than_seconds = olderThan * SECONDS[granularity];
      const purged: Purged["purged"] = [];
      let marker: string | null = null;
      do {
        const body = { older_than_seconds, marker };
        const part: Purged = await client.request("POST", "/_purge", PurgeAnswer, body);
        purged.push(...part.purged);
        marker = part.next_marker;
      } while (marker !== null);
      const rows = purged.map((one) => [one.stack_name, one.deletion_time, one.id]);
      print({ purged }, () => [
        ...(rows.length > 0 ? tableLines(["NAME", "DELETED", "ID"], rows) : []),
        `Purged stacks: ${purged.length}.`,
      ]);
    }),
  });
