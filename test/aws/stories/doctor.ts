import { deepEqual, equal, match } from "node:assert/strict";
import type { Message } from "#lib/ports/queue.ts";
import type { Finding } from "../../../apps/cli/doctor/check.ts";
import { examine } from "../../../apps/cli/doctor/doctor.ts";
import { eventually } from "../eventually.ts";
import { type Lane, PROJECT, type Story } from "../lane.ts";

const SOUND_MS_MAX = 150_000;
const LETTER_MS_MAX = 60_000;

const TEN_MINUTES_MS = 600_000;
const UNREADABLE: Message = JSON.parse('{ "type": "unknown" }');

const look = ({ url }: Lane, token: string): Promise<readonly Finding[]> =>
  examine({ endpoint: url, project: PROJECT, token });

/** The URLs of an emulator are local to this machine, so the doctor warns about them. */
const isOnlyLocal = ({ check, verdict }: Finding): boolean =>
  check === "signed URLs" && verdict === "warning";
const wrongOnes = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((finding) => finding.verdict !== "ok" && !isOnlyLocal(finding));

const sound: Story = {
  name: "doctor finds a sound deployment sound, and reports dead letters, a stopped sweeper and a bad token",
  play: async (lane) => {
    const { store } = lane.account.adapter;
    let last: readonly Finding[] = [];
    await eventually("the deployment is sound", SOUND_MS_MAX, async () => {
      last = await look(lane, lane.token);
      return wrongOnes(last).length === 0 ? true : null;
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(wrongOnes(last))}`);
    });
    deepEqual(
      last.map(({ check }) => check),
      [
        "api",
        "authentication",
        "revision",
        "prepare",
        "check",
        "poll",
        "dead letters",
        "given up",
        "stream failures",
        "sweeper",
        "clock",
        "signed URLs",
      ],
    );
    match(
      last.find(({ check }) => check === "authentication")?.found ?? "",
      /a wrong one is refused/,
    );

    const unknown = await look(lane, "unknown-token");
    match(wrongOnes(unknown)[0]?.found ?? "", /^the token is not accepted \(401\)/);
    const foreign = await look(lane, lane.foreignToken);
    match(wrongOnes(foreign)[0]?.found ?? "", /not for the project demo \(403\)/);

    // The message is redelivered, so it is either being handled or waiting for its next delivery.
    await lane.account.send("PollDeadLetter", UNREADABLE);
    await eventually("doctor names the dead letter", LETTER_MS_MAX, async () => {
      const letters = (await look(lane, lane.token)).find(({ check }) => check === "dead letters");
      if (letters?.verdict !== "wrong") return null;
      equal(
        letters.found,
        "1 message that was delivered too often stands there (1 in poll-dead-letter)",
      );
      return true;
    });
    await lane.account.purge("PollDeadLetter");
    await lane.account.send("GivenUp", UNREADABLE);
    // SQS's counts are approximate.
    await eventually("doctor counts the dead letter", LETTER_MS_MAX, async () => {
      const givenUp = (await look(lane, lane.token)).find(({ check }) => check === "given up");
      return givenUp?.found === "1 dead letter could not even be failed" || null;
    });
    await lane.account.purge("GivenUp");

    // The sweeper can still run once in between.
    await eventually("doctor misses the sweeper", LETTER_MS_MAX, async () => {
      await store.recordSweep(Date.now() - TEN_MINUTES_MS);
      const sweeper = (await look(lane, lane.token)).find(({ check }) => check === "sweeper");
      return /^the sweeper last finished 10m\d\ds ago$/.test(sweeper?.found ?? "") || null;
    });
    await store.recordSweep(Date.now());
  },
};

export const doctorStories: readonly Story[] = [sound];
