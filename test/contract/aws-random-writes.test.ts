import { ownTarget } from "./own-target.ts";
import { randomWritesOnAws } from "./random-writes-on-aws.ts";

randomWritesOnAws("AWS", ownTarget());
