import { declareMoneyLooks } from "../support/money-looks.ts";

declareMoneyLooks();
