import { type OpenStackDouble, REGION, SECRET, startOpenStackDouble } from "./double/double.ts";
import type { Settings } from "./double/state.ts";
import type { Stage } from "./provider-play.ts";

export interface DoubleStage extends Stage {
  readonly double: OpenStackDouble;
}

const SETTINGS: Settings = { hidden: 1, looks: 1 };

export const startDoubleStage = async (settings = SETTINGS): Promise<DoubleStage> => {
  const double = await startOpenStackDouble(settings);
  return {
    double,
    credential: {
      authUrl: double.authUrl,
      id: "demo",
      secret: SECRET,
      region: REGION,
      interface: "public",
      plainHttp: false,
    },
    pace: { pollSeconds: 0.02, visibleSeconds: 0.06 },
    patience: { repeatsMax: 60, pauseMs: 20 },
    holdMs: 25,
    spoilsReads: true,
  };
};
