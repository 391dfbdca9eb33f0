/** The long form tries everything; the short one all steps without a fault and a share of the others. */
export const isLong = process.env.FAULTS === "long";
/** Other seeds combine steps and recoveries differently. */
export const seed = Number(process.env.FAULTS_SEED ?? 1);
