import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const vitrageTemplate: DeclaredType = {
  type: "OS::Vitrage::Template",
  schema: {
    description:
      "Rules that tell Vitrage what to do when alarms and states in the cloud match. The Vitrage service is inactive.",
    support: {
      status: "DEPRECATED",
      since: "26.0.0",
      message: "Vitrage project was marked inactive",
      previous: { since: "16.0.0" },
    },
    templateName: "VitrageTemplate",
    properties: {
      template_file: {
        type: "string",
        description: "The text of the Vitrage template, in YAML.",
        required: true,
      },
      template_params: {
        type: "map",
        description: "The parameters of the Vitrage template.",
        required: true,
      },
    },
    attributes: {},
  },
};
