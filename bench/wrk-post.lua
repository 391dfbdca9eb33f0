-- wrk -s wrk-post.lua URL -- BODIES_FILE [HEADER VALUE]…
-- Posts the lines of a file in turn and prints one line of JSON at the end.

local requests = {}
local position = 0

function init(args)
  local headers = { ["Content-Type"] = "application/json" }
  for index = 2, #args, 2 do headers[args[index]] = args[index + 1] end
  -- Made before the clock starts: the load must cost as little of the shared processors as it can.
  for body in io.lines(args[1]) do requests[#requests + 1] = wrk.format("POST", nil, headers, body) end
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"answered":%d,"seconds":%.6f,"p50Us":%d,"p99Us":%d,"failed":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
