import { randomUUID } from "node:crypto";
import { type AwsAdapter, openAws } from "#lib/adapters/aws/open-aws.ts";
import { openThrottle } from "#lib/adapters/aws/throttle.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import type { Clock } from "#lib/ports/ports.ts";
import type { AwsTarget } from "./aws-emulators.ts";
import { blobsContract } from "./blobs.contract.ts";
import { fakeProviderContract } from "./fake-provider.contract.ts";
import { limitMs } from "./limits.ts";
import { openObservedSqs } from "./observed-sqs.ts";
import type { Open } from "./opened.ts";
import { queueContract } from "./queue.contract.ts";
import { softwareConfigStoreContract } from "./software-config-store.contract.ts";
import { storeContract } from "./store.contract.ts";
import { throttleContract } from "./throttle.contract.ts";

export const awsContract = (where: string, target: () => AwsTarget): void => {
  const open = (clock: Clock): AwsAdapter => {
    const { connection, place } = target();
    return openAws({ ...connection, ...place, clock, fakeProviderName: randomUUID() });
  };

  const onAws =
    <T>(pick: (adapter: AwsAdapter) => T): Open<T> =>
    () => {
      const adapter = open(memoryClock());
      return { port: pick(adapter), close: adapter.close };
    };

  storeContract(
    `the ${where} store`,
    onAws(({ store }) => store),
  );
  softwareConfigStoreContract(
    `the ${where} software config store`,
    onAws(({ softwareConfigs }) => softwareConfigs),
  );
  blobsContract(
    `the ${where} blobs`,
    onAws(({ blobs }) => blobs),
  );
  queueContract(`the ${where} queue`, () => openObservedSqs(target().connection));
  fakeProviderContract(`the ${where} fake provider`, () => {
    const clock = memoryClock();
    const adapter = open(clock);
    return { port: { provider: adapter.fakeProvider, ...clock }, close: adapter.close };
  });

  throttleContract(`the ${where} throttle`, () => {
    const { connection, place } = target();
    // A busy machine must not make a second attempt at a request, which would count it twice.
    const patient = { attemptsMax: 1, requestMsMax: limitMs(10_000) };
    const port = openThrottle({ ...connection, ...patient }, place.throttle);
    return { port, close: port.close };
  });
};
