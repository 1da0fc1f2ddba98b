import { describePart } from "./random-stretch.ts";

describePart(2);
