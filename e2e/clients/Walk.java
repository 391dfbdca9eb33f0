import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Walks the life of a license with the JDK alone, over one HttpClient as it is by default: connections are kept, and
 * every request offers an upgrade to HTTP/2.
 *
 * BASE_URL=http://… API_KEY=lk_live_… java Walk.java
 *
 * Status, headers, field names and JSON types of every answer are checked. What the reseller needs: see walk.py.
 */
public class Walk {
  static final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  static final String base = System.getenv("BASE_URL") + "/api/v1";
  static final String key = System.getenv("API_KEY");
  static final String subnet = setting("SUBNET", "10.90." + Instant.now().getEpochSecond() % 250);
  static int checks = 0;

  static String setting(String name, String otherwise) {
    return Optional.ofNullable(System.getenv(name)).orElse(otherwise);
  }

  static void check(boolean condition, String message) {
    checks++;
    if (condition) return;
    System.err.println("FAILED: " + message);
    System.exit(1);
  }

  // Shapes: a predicate of a value of JSON.

  static final Predicate<Object> integer = value -> value instanceof BigDecimal n && n.scale() == 0;
  static final Predicate<Object> number = value -> value instanceof BigDecimal;
  static final Predicate<Object> text = value -> value instanceof String;
  static final Predicate<Object> bool = value -> value instanceof Boolean;
  static final Predicate<Object> absent = value -> value == null;
  static final Predicate<Object> timestamp = like("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
  static final Predicate<Object> day = like("\\d{4}-\\d\\d-\\d\\d");
  static final Predicate<Object> currency = like("[A-Z]{3}");
  static final Predicate<Object> licenseKey = like("LIC(-[0-9A-HJKMNP-TV-Z]{5}){4}");
  static final Predicate<Object> licenseId = like("lic_[1-9]\\d*");
  static final Predicate<Object> uuid = like("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  static Predicate<Object> like(String pattern) {
    return value -> value instanceof String s && s.matches(pattern);
  }

  static Predicate<Object> is(Object expected) {
    return value -> value instanceof BigDecimal n && expected instanceof Number e
        ? n.compareTo(new BigDecimal(e.toString())) == 0
        : expected.equals(value);
  }

  static Predicate<Object> list(Predicate<Object> of) {
    return value -> value instanceof List<?> all && all.stream().allMatch(of::test);
  }

  /** Name, shape, name, shape, …: these fields and no others. */
  @SuppressWarnings("unchecked")
  static Predicate<Object> fields(Object... shape) {
    Map<String, Predicate<Object>> shapes = new LinkedHashMap<>();
    for (int i = 0; i < shape.length; i += 2) {
      shapes.put((String) shape[i], shape[i + 1] instanceof Predicate<?> p ? (Predicate<Object>) p : is(shape[i + 1]));
    }
    return value -> value instanceof Map<?, ?> map && map.keySet().equals(shapes.keySet())
        && shapes.entrySet().stream().allMatch(one -> one.getValue().test(map.get(one.getKey())));
  }

  static Object[] with(Object[] some, Object... more) {
    Object[] all = Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }

  static Predicate<Object> done(Object... data) {
    return fields("success", true, "message", text, "data", fields(data));
  }

  static Predicate<Object> read(Predicate<Object> data) {
    return fields("success", true, "data", data);
  }

  static Predicate<Object> refused(String code, String... wrong) {
    return fields("success", false, "error", true, "code", code, "message", text, "details", named(wrong));
  }

  static Predicate<Object> refusedPath(String code, String... wrong) {
    return fields("error", true, "code", code, "message", text, "details", named(wrong));
  }

  static Predicate<Object> named(String... names) {
    return value -> value instanceof Map<?, ?> map && new ArrayList<>(map.keySet()).equals(List.of(names))
        && map.values().stream().allMatch(String.class::isInstance);
  }

  // Requests.

  record Answer(HttpResponse<String> response, Object body, String where) {
    Map<?, ?> data() {
      return (Map<?, ?>) ((Map<?, ?>) body).get("data");
    }
  }

  static Answer send(HttpRequest.Builder request) throws Exception {
    HttpRequest sent = request.timeout(Duration.ofSeconds(30))
        .header("X-Forwarded-For", setting("SOURCE", "10.90.0.1")).build();
    HttpResponse<String> response = client.send(sent, BodyHandlers.ofString(StandardCharsets.UTF_8));
    String body = response.body();
    String where = sent.method() + " " + sent.uri() + " -> " + response.statusCode() + " "
        + body.substring(0, Math.min(300, body.length()));
    Map<String, String> expected = Map.of("content-type", "application/json", "x-content-type-options", "nosniff",
        "x-ratelimit-limit", "[1-9]\\d*", "x-ratelimit-remaining", "\\d+", "x-ratelimit-reset", "\\d{10}",
        "x-request-id", "\\S+");
    expected.forEach((name, pattern) -> {
      List<String> values = response.headers().allValues(name);
      check(values.size() == 1 && values.get(0).matches(pattern), where + ": " + name + " is " + values);
    });
    return new Answer(response, body.isEmpty() ? null : new Json(body).parse(), where);
  }

  static Answer expect(int status, Predicate<Object> shape, Answer answer) {
    check(answer.response.statusCode() == status, answer.where + ": not " + status);
    check(shape.test(answer.body), answer.where + ": not of the expected form");
    return answer;
  }

  static String encode(Object... fields) {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < fields.length; i += 2) {
      pairs.add(fields[i] + "=" + URLEncoder.encode(fields[i + 1].toString(), StandardCharsets.UTF_8));
    }
    return String.join("&", pairs);
  }

  static HttpRequest.Builder to(String target) {
    return HttpRequest.newBuilder(URI.create(base + target));
  }

  static Answer get(String operation, Object... fields) throws Exception {
    String query = encode(with(new Object[] {"endpoint", operation}, fields));
    return send(to("/?" + query).header("X-API-Key", key));
  }

  static Answer post(String operation, Object... fields) throws Exception {
    return send(to("/?endpoint=" + operation).header("X-API-Key", key)
        .header("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(encode(fields))));
  }

  static Answer getPath(String target) throws Exception {
    return send(to(target).header("Authorization", "Bearer " + key));
  }

  static Answer postPath(String target, String json) throws Exception {
    return send(to(target).header("Authorization", "Bearer " + key).header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(json)));
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> find(Answer answer, String listed, String field, String value) {
    List<Map<String, Object>> all = (List<Map<String, Object>>) answer.data().get(listed);
    return all.stream().filter(one -> value == null || value.equals(one.get(field))).findFirst()
        .orElseThrow(() -> new IllegalStateException("nothing with " + field + " " + value));
  }

  static Object firstCycle(Map<String, Object> offer) {
    return ((Map<?, ?>) ((List<?>) offer.get("cycles")).get(0)).get("cycle_id");
  }

  // The walk.

  static final Object[] money = {"price", number, "currency", currency, "balance_after", number};

  public static void main(String[] arguments) throws Exception {
    Predicate<Object> cycle = fields("cycle_id", integer, "name", text, "months", integer, "price", number, "setup_fee",
        number, "price_per_core", number.or(absent), "currency", currency);
    Predicate<Object> product = fields("product_id", integer, "name", text, "type", text, "core_metered", bool,
        "workers", integer, "cycles", list(cycle));
    Predicate<Object> bundle = fields("bundle_id", integer, "name", text, "description", text, "products",
        list(fields("product_id", integer, "name", text, "type", text)), "cycles", list(cycle));
    expect(200, read(fields("balance", number, "currency", currency, "pending_transactions", integer)), get("balance"));
    Answer products = expect(200, read(fields("products", list(product))), get("products"));
    Answer bundles = expect(200, read(fields("bundles", list(bundle))), get("bundles"));
    Map<String, Object> panel = find(products, "products", "type", setting("TYPE", "control_panel"));
    Map<String, Object> metered = find(products, "products", "type", setting("METERED_TYPE", "web_server"));

    ofItsOwn(panel);
    ofManyCores(metered);
    inABundle(find(bundles, "bundles", "name", System.getenv("BUNDLE")));
    notKnownYet(panel);
    refusals();
    System.out.println("The walk is done: " + checks + " checks.");
  }

  static Object[] bought() {
    return with(money, "license_id", integer, "license_key", licenseKey, "expires_at", timestamp);
  }

  static Map<?, ?> register(Map<String, Object> product, String address) throws Exception {
    return expect(200, done(bought()), post("license.register", "product_id", product.get("product_id"), "cycle_id",
        firstCycle(product), "ip_address", address)).data();
  }

  static void ofItsOwn(Map<String, Object> product) throws Exception {
    Map<?, ?> license = register(product, subnet + ".1");
    Object id = license.get("license_id");
    Object licenseKey = license.get("license_key");
    expect(200, read(fields("license_id", id, "license_key", licenseKey, "product_id", product.get("product_id"),
        "product", product.get("name"), "cycle_months", integer, "ip_address", subnet + ".1", "status",
        "active", "issued_at", timestamp, "expires_at", license.get("expires_at"), "days_remaining", integer,
        "cores", absent, "notes", "", "auto_renew", false)), get("license.info", "license_id", id));
    verify(licenseKey, subnet + ".1", true, "VALID");
    verify(licenseKey, subnet + ".2", false, "IP_MISMATCH");
    expect(200, done("license_id", id, "status", "suspended", "reason", "", "suspended_at", timestamp),
        post("license.suspend", "license_id", id, "reason", ""));
    expect(200, done("license_id", id, "status", "active"), post("license.unsuspend", "license_id", id));
    expect(200, done("license_id", id, "old_ip", subnet + ".1", "new_ip", subnet + ".2", "provider_status", "updated"),
        post("license.change_ip", "license_id", id, "new_ip", subnet + ".2"));
    expect(200, done(with(money, "license_id", id, "new_expiry", timestamp)), post("license.renew", "license_id", id));
    expect(200, fields("success", true, "message", text, "updated_at", timestamp),
        postPath("/license/update", "{\"license_key\":\"" + licenseKey + "\",\"hostname\":\"java.example\"}"));
    expect(200, fields("status", "active", "type", product.get("type"), "expires", day, "cores", 0, "workers", integer,
        "ip", subnet + ".2", "hostname", "java.example"), getPath("/license/status?license_id=lic_" + id));
    Predicate<Object> item = fields("id", Walk.licenseId, "type", text, "status", text, "expires", day, "server", text);
    expect(200, fields("licenses", list(item)), getPath("/licenses"));

    String order = "{\"license_id\":" + id + ",\"cycle_id\":null}";
    String once = UUID.randomUUID().toString();
    HttpRequest.Builder renewal = to("/?endpoint=license.renew").header("X-API-Key", key).header("Idempotency-Key", once)
        .header("Content-Type", "application/json").POST(BodyPublishers.ofString(order));
    Answer first = send(renewal.copy());
    Answer again = send(renewal.copy());
    check(first.body.equals(again.body), again.where + ": the replay is another answer");
    check(again.response.headers().firstValue("idempotent-replayed").equals(Optional.of("true")), "no replay");
  }

  static void verify(Object licenseKey, String address, boolean valid, String code) throws Exception {
    expect(200, fields("valid", valid, "type", text, "expires", day, "message", text, "code", code),
        postPath("/license/verify", "{\"license_key\":\"" + licenseKey + "\",\"ip_address\":\"" + address + "\"}"));
  }

  static void ofManyCores(Map<String, Object> product) throws Exception {
    Object id = register(product, subnet + ".3").get("license_id");
    expect(200, done(with(money, "license_id", id, "old_cores", 1, "new_cores", 8, "provider_status", "updated")),
        post("license.change_core", "license_id", id, "cores", 8));
    expect(400, refused("CORE_CHANGE_FAILED", "cores"), post("license.change_core", "license_id", id, "cores", 0));
  }

  static void inABundle(Map<String, Object> bundle) throws Exception {
    Object[] member = {"license_id", integer, "license_key", licenseKey, "product", text, "expires_at", timestamp};
    Object[] head = {"bundle_instance_id", integer, "bundle_id", bundle.get("bundle_id"), "name", bundle.get("name"),
      "expires_at", timestamp};
    Map<?, ?> instance = expect(200,
        done(with(with(head, money), "ip_address", subnet + ".4", "licenses", list(fields(member)))),
        post("bundle.register", "bundle_id", bundle.get("bundle_id"), "cycle_id", firstCycle(bundle), "ip_address",
            subnet + ".4")).data();
    Object id = instance.get("bundle_instance_id");
    expect(200, done(with(money, "price", 0, "bundle_instance_id", id, "old_ip", subnet + ".4", "new_ip", subnet + ".5",
        "provider_status", "updated", "licenses", list(fields("license_id", integer, "provider_status", "updated")))),
        post("bundle.change_ip", "bundle_instance_id", id, "new_ip", subnet + ".5"));
    expect(200, done(with(money, "bundle_instance_id", id, "new_expiry", timestamp, "licenses",
        list(fields("license_id", integer, "new_expiry", timestamp)))), post("bundle.renew", "bundle_instance_id", id));
    expect(200, read(fields(with(head, "ip_address", subnet + ".5", "licenses",
        list(fields(with(member, "status", "active")))))), get("bundle.info", "bundle_instance_id", id));
  }

  static void notKnownYet(Map<String, Object> product) throws Exception {
    Map<?, ?> pending = expect(202, done(with(bought(), "status", "pending", "operation_id", uuid)),
        post("license.register", "product_id", product.get("product_id"), "cycle_id", firstCycle(product), "ip_address",
            "192.0.2.20")).data();
    Object[] operation = {"operation", "license.register", "status", like("pending|succeeded"), "message", text,
      "bundle_instance_id", absent, "price", number, "currency", currency, "created_at", timestamp, "settled_at",
      timestamp.or(absent)};
    Object id = pending.get("operation_id");
    expect(200, read(fields(with(operation, "license_id", integer))), get("operation.info", "operation_id", id));
    expect(200, fields(with(operation, "license_id", licenseId)), getPath("/operations/" + id));
    Answer busy = expect(409, refused("OPERATION_IN_PROGRESS", "operation_id"),
        post("license.suspend", "license_id", pending.get("license_id")));
    check(busy.response.headers().firstValueAsLong("retry-after").isPresent(), "no Retry-After");
  }

  static void refusals() throws Exception {
    expect(404, refused("UNKNOWN_ENDPOINT", "endpoint"), post("license.delete"));
    expect(400, refused("MISSING_LICENSE_ID", "license_id", "new_ip"), post("license.change_ip"));
    expect(401, refused("MISSING_API_KEY"), send(to("/?endpoint=balance")));
    expect(401, refusedPath("UNAUTHORIZED"), send(to("/licenses")));
    expect(404, refusedPath("NOT_FOUND"), getPath("/license"));
    expect(400, refusedPath("INVALID_LICENSE", "license_key"), postPath("/license/verify", "{\"license_key\":\"x\"}"));
    expect(400, refusedPath("INVALID_REQUEST"), postPath("/license/verify", "[]"));
    HttpRequest.Builder put = to("/licenses").header("Authorization", "Bearer " + key).PUT(BodyPublishers.noBody());
    Answer wrong = expect(405, refusedPath("METHOD_NOT_ALLOWED"), send(put));
    check(wrong.response.headers().firstValue("allow").equals(Optional.of("GET, HEAD")), wrong.where + ": Allow");
  }

  /** RFC 8259, without leniency: no second value of a name, nothing behind the text. */
  static final class Json {
    private final String text;
    private int at = 0;

    Json(String text) {
      this.text = text;
    }

    Object parse() {
      Object value = value();
      if (at != text.length()) throw wrong("more behind the value");
      return value;
    }

    private Object value() {
      switch (text.charAt(at)) {
        case '{': return object();
        case '[': return array();
        case '"': return string();
        case 't': return word("true", true);
        case 'f': return word("false", false);
        case 'n': return word("null", null);
        default: return number();
      }
    }

    private Map<String, Object> object() {
      Map<String, Object> object = new LinkedHashMap<>();
      at++;
      while (text.charAt(at) != '}') {
        if (!object.isEmpty()) take(',');
        String name = string();
        take(':');
        if (object.containsKey(name)) throw wrong("a name twice");
        object.put(name, value());
      }
      at++;
      return object;
    }

    private List<Object> array() {
      List<Object> array = new ArrayList<>();
      at++;
      while (text.charAt(at) != ']') {
        if (!array.isEmpty()) take(',');
        array.add(value());
      }
      at++;
      return array;
    }

    private String string() {
      take('"');
      StringBuilder string = new StringBuilder();
      for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
        if (c < 0x20) throw wrong("a control character");
        if (c != '\\') {
          string.append(c);
          continue;
        }
        char escape = text.charAt(at++);
        if (escape == 'u') {
          string.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
          at += 4;
        } else {
          int index = "\"\\/bfnrt".indexOf(escape);
          if (index < 0) throw wrong("an escape");
          string.append("\"\\/\b\f\n\r\t".charAt(index));
        }
      }
      return string.toString();
    }

    private BigDecimal number() {
      int start = at;
      while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
      String number = text.substring(start, at);
      if (!number.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) throw wrong("no value");
      return new BigDecimal(number);
    }

    private Object word(String word, Object value) {
      if (!text.startsWith(word, at)) throw wrong("no value");
      at += word.length();
      return value;
    }

    private void take(char expected) {
      if (text.charAt(at++) != expected) throw wrong("no " + expected);
    }

    private IllegalArgumentException wrong(String what) {
      return new IllegalArgumentException(what + " at " + at + " of " + text);
    }
  }
}
