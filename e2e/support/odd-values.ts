import fc from "fast-check";

/** Node's server reads 16 KiB of headers and target together. */
export const MAX_TARGET_LENGTH = 12_000;

const oddNumbers = [
  ..."0 -1 +1 01 1e3 1.0 0x1 2147483647 2147483648 9007199254740993 9999999999999999999999999 NaN Infinity 1e999 -0".split(
    " ",
  ),
  "9".repeat(400),
];
const oddTimes = [
  ..."2027-02-30 0000-00-00 9999-12-31T23:59:59Z 10000-01-01T00:00:00Z -271821-04-19T23:59:59Z 2027-01-31T24:00:00Z".split(
    " ",
  ),
  ..."+275760-09-13T00:00:00Z 2027-01-31T00:00:60Z 1970-01-01T00:00:00.0000000001Z 2027-01-31T00:00:00+99:99".split(
    " ",
  ),
];
const oddAddresses = [
  ..."1.2.3 01.2.3.4 256.1.1.1 0.0.0.0 255.255.255.255 127.1 0x7f.0.0.1 1.2.3.4/0 2130706433 1.2.3.4%eth0".split(" "),
  ..."::1 ::ffff:1.2.3.4 fe80::1%lo 2001:db8::/32 [::1] ::ffff:0:0:0:0:0 1:2:3:4:5:6:7:8:9".split(" "),
];
const oddIds = "null undefined lic_0 lic_1e3 whe_0 evt_ AAAA MQ LIC-1 ../.. a[b][c] a[]".split(" ");
const oddSyntax = "% %00 %zz %c0%af ' \" \\ $1 {} [] __proto__ constructor javascript:alert(1) <script> =1+1".split(
  " ",
);
const oddCharacters = [
  ...[
    "",
    " ",
    "10.0.0.1\t",
    "\0",
    "a\0b",
    "\ud800",
    "\udc00x",
    "\u202eevil",
    "e\u0301",
    "\ufeff",
    "\uffff",
    "\u2028",
    "a\r\nb",
  ],
  ...["x".repeat(1000), "x".repeat(1001), "😀".repeat(501), "x".repeat(10_000), "\u0300".repeat(300)],
];

/** Of what parsers have stumbled on, here or elsewhere. */
const oddTexts: readonly string[] = [...[oddNumbers, oddTimes, oddAddresses, oddIds, oddSyntax, oddCharacters].flat()];
export const oddText = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: "binary", maxLength: 30 }));
export const oddName = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "endpoint", "reseller_id", "a\0", "a[b][c]", "a[]"),
  oddText,
);
export const deep = fc.integer({ min: 30, max: 20_000 }).map((depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`);
export const oddValue = fc.oneof(oddText, fc.jsonValue(), fc.double(), fc.maxSafeInteger());

/** What a header's value may be made of. */
export const latin1 = fc.string({
  unit: fc
    .integer({ min: 32, max: 255 })
    .filter((code) => code !== 127)
    .map((code) => String.fromCharCode(code)),
  maxLength: 40,
});

/** `usual`, and now and then something else: what is wrong in every way at once is refused at the door. */
export function mostly<Usual, Odd>(usual: Usual, odd: fc.Arbitrary<Odd>, weight = 9): fc.Arbitrary<Usual | Odd> {
  return fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd });
}
