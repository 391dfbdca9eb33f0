import { declareOverviewLooks } from "../support/overview-looks.ts";

declareOverviewLooks("light");
declareOverviewLooks("dark");
