import { describe, expect, it } from "vitest";
import { bootDataOf } from "#providers/boot-data.ts";

const NONE = { userData: "", cfnInitData: null, metadataUrl: null };
const CONFIG_ID = "5a7a0a4e-6d31-4a5c-9a5c-0d9b8f3f2a10";

describe("the data of a boot", () => {
  it.each([
    ["nothing", {}, NONE],
    ["the template's user data", { user_data: "#!/bin/sh" }, { ...NONE, userData: "#!/bin/sh" }],
    [
      "all that the host knows",
      {
        user_data: CONFIG_ID,
        hearth_boot: { user_data: "#!/bin/sh", cfn_init_data: "{}", metadata_url: "https://a/" },
      },
      { userData: "#!/bin/sh", cfnInitData: "{}", metadataUrl: "https://a/" },
    ],
    [
      "no user data if the config that the template names is empty",
      {
        user_data: CONFIG_ID,
        hearth_boot: { user_data: "", cfn_init_data: null, metadata_url: null },
      },
      NONE,
    ],
  ])("is %s", (_name, properties, wanted) => {
    expect(bootDataOf(properties)).toEqual(wanted);
  });
});
