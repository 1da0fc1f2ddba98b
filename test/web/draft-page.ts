import type { Page } from "playwright-core";

export const editor = (page: Page) => page.getByRole("textbox", { name: "Template" });

export const click = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).click();

/** Looks in the list only, because the graph beside it has the name too. */
export const changeOf = (page: Page, name: string) =>
  page.getByRole("region", { name: "Preview" }).getByRole("listitem").filter({ hasText: name });
