/** Reads the files of `--aws`, `--openstack` and `--ssh`. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { whyUnreadable } from "#host/unreadable-file.ts";
import { OperatorFileRefused, unusableFile } from "#providers/operator-file.ts";

export const operatorText = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unusableFile(file, whyUnreadable(error), error);
  }
};

export const operatorData = (file: string): unknown => {
  const text = operatorText(file);
  try {
    return parse(text);
  } catch (error) {
    throw new OperatorFileRefused(`${file} is neither JSON nor YAML.`, { cause: error });
  }
};
