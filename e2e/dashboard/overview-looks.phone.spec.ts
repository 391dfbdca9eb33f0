import { declareOverviewLooks } from "../support/overview-looks.ts";

declareOverviewLooks();
