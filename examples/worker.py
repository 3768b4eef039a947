"""A worker: CARILLON_SERVER=http://127.0.0.1:8080 CARILLON_TOKEN=crl_... python3 worker.py TARGET..."""
import concurrent.futures as futures, json, os, signal, sys, threading, time, urllib.request
SERVER = os.environ.get("CARILLON_SERVER", "http://127.0.0.1:8080")
HEADERS = {"Authorization": "Bearer " + os.environ["CARILLON_TOKEN"], "Content-Type": "application/json"}
LEASE = float(os.environ.get("WORKER_LEASE", "30"))  # seconds; a heartbeat goes out every third of it
ME = {"worker": f"{os.uname().nodename}-{os.getpid()}", "lease": f"PT{LEASE}S"}
in_hand, beat, stopping = {}, time.monotonic(), threading.Event()
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
    request = urllib.request.Request(f"{SERVER}/api/v1/workers/{what}", json.dumps(body).encode(), HEADERS)
    try:
        return json.load(urllib.request.urlopen(request, timeout=60))["runs"]
    except OSError as e:
        print("trying again:", e, file=sys.stderr, flush=True)
        time.sleep(1)
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
