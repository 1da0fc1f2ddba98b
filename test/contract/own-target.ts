import { afterAll, beforeAll } from "vitest";
import { present } from "#lib/errors.ts";
import { type AwsTarget, openAwsTarget } from "./aws-emulators.ts";
import { limitMs } from "./limits.ts";

const START_MS_MAX = limitMs(120_000);

export const ownTarget = (openTarget = openAwsTarget): (() => AwsTarget) => {
  let target: AwsTarget | null = null;
  beforeAll(async () => {
    target = await openTarget();
  }, START_MS_MAX);
  afterAll(async () => {
    await target?.close();
  }, START_MS_MAX);
  return () => present(target, "a place for the tests");
};
