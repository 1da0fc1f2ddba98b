import { knownTypes } from "#lib/authoring/known-types.ts";
import { isHidden } from "#lib/model/property-schema.ts";
import { functionsPage } from "./functions-page.ts";
import type { Page } from "./markdown.ts";
import { typePages } from "./type-pages.ts";

export const referencePages = (): readonly Page[] => [
  functionsPage(),
  ...typePages(knownTypes().filter(({ schema }) => !isHidden(schema.support))),
];
