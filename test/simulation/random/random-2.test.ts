import { describePart } from "./random-stretch.ts";

describePart(1);
