import type { At } from "./asked.ts";
import type { CloudAnswer, CloudCall, Service } from "./cloud.ts";

const asking =
  (service: Service) =>
  (
    { cloud, call }: Pick<At, "cloud" | "call">,
    request: Omit<CloudCall, "service" | "signal">,
  ): Promise<CloudAnswer> =>
    cloud.ask({ ...request, service, signal: call.signal });

export const askNova = asking("compute");
export const askNeutron = asking("network");
export const askCinder = asking("volume");
