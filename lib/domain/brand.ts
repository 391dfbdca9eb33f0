declare const brand: unique symbol;

/** A primitive that only its own module can create. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
