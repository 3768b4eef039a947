"""A worker: CARILLON_SERVER=http://127.0.0.1:8080 CARILLON_TOKEN=crl_... python3 worker.py TARGET..."""
import concurrent.futures as futures, http.client, json, os, random, signal, sys, threading, time, urllib.request
SERVER = os.environ.get("CARILLON_SERVER", "http://127.0.0.1:8080")
HEADERS = {"Authorization": "Bearer " + os.environ["CARILLON_TOKEN"], "Content-Type": "application/json"}
LEASE = float(os.environ.get("WORKER_LEASE", "30"))  # seconds; a heartbeat goes out every third of it
ME = {"worker": f"{os.uname().nodename}-{os.getpid()}", "lease": f"PT{LEASE}S"}
in_hand, beat, stopping, failures = {}, time.monotonic(), threading.Event(), 0
def work(run):  # yours goes here; raise to fail
    time.sleep(run["payload"].get("seconds", 0))
    print(f"did {run['id']}\n", end="", flush=True)  # in one piece, among other threads
    return {"outcome": "succeeded"}

def end(run):
    try:
        return {"outcome": "interrupted"} if stopping.is_set() else work(run)  # what has not begun is given back
    except Exception as e:
        return {"outcome": "failed", "failure": {"code": type(e).__name__, "message": str(e)}}

def ask(what, body):
    global failures
    request = urllib.request.Request(f"{SERVER}/api/v1/workers/{what}", json.dumps(body).encode(), HEADERS)
    try:
        answer = json.load(urllib.request.urlopen(request, timeout=60))["runs"]
        failures = 0
        return answer
    except (OSError, http.client.HTTPException, ValueError) as e:  # a 401 or 429 is an OSError, too
        failures = min(failures + 1, 6)
        wish = str(getattr(e, "headers", None) and e.headers.get("Retry-After"))
        pause = max(random.uniform(0.5, 1) * 2**failures, min(int(wish), 300) if wish.isdigit() else 0)
        pause = min(pause, LEASE / 3) if in_hand else pause  # so that no lease ends meanwhile
        print(f"trying again in {pause:.0f} s: {e}", file=sys.stderr, flush=True)
        time.sleep(min(pause, 1)) if stopping.is_set() else stopping.wait(pause)
        return []

signal.signal(signal.SIGTERM, lambda *_: stopping.set())
with futures.ThreadPoolExecutor(8) as threads:
    while in_hand or not stopping.is_set():
        order = {**ME, "targets": sys.argv[1:], "max": 32 - len(in_hand), "wait": "PT0S" if in_hand else "PT5S"}
        for run in ask("claim", order) if order["max"] and not stopping.is_set() else []:
            in_hand[threads.submit(end, run)] = {name: run[name] for name in ("id", "attempt", "fence")}
        ended = list(futures.wait(in_hand, min(0.5, LEASE / 6), futures.FIRST_COMPLETED).done)
        ends = [{**in_hand[future], **future.result()} for future in ended]
        for future, told in zip(ended, ask("complete", ends) if ends else []):
            print(f"{told['answer']} {in_hand.pop(future)['id']}\n", end="", flush=True)
        if time.monotonic() - beat > LEASE / 3 and in_hand:
            beat = time.monotonic()
            ask("heartbeat", {**ME, "runs": list(in_hand.values())})
