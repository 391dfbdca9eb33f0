/** The long form tries everything; the short one every step without a fault, and a share of the others. */
export const isLong = process.env.FAULTS === "long";
/** Another number tries other pairs of step and recovery. */
export const seed = Number(process.env.FAULTS_SEED ?? 1);
