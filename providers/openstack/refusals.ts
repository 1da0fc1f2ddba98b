import { type RefusedProperty, refusedBy } from "../refused-properties.ts";

export const textOfRefusal = (refused: RefusedProperty): string => refusedBy("OpenStack", refused);

export const OWN_PROJECT = "an object belongs to the project of the application credential";
