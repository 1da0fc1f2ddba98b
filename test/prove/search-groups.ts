import { present } from "#lib/errors.ts";
import { GROUPS } from "./groups.ts";
import { type Report, Search } from "./search.ts";

export const searchGroup = async (title: string, statesMax: number): Promise<Report> => {
  const config = GROUPS.find((one) => one.title === title);
  const search = await Search.of(present(config, `a configuration "${title}"`));
  return search.run({ statesMax });
};
