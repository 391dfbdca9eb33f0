import { declarePeopleLooks } from "../support/people-looks.ts";

declarePeopleLooks();
