declare const brand: unique symbol;

/** A primitive that only its own module can make: a plain string or number does not pass for it by accident. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
